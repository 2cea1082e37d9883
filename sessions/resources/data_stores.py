"""The ``DataStore`` resource (discoveryengine)."""

from __future__ import annotations

import msgspec

from sessions.resources.base import (
    Empty,
    FieldMask,
    Int32,
    Resource,
    Struct,
    Timestamp,
    at_most_one,
)
from sessions.resources.enums import Documented


class IndustryVertical(Documented):
    """The field that a store or engine is for."""

    INDUSTRY_VERTICAL_UNSPECIFIED = 0
    GENERIC = 1
    MEDIA = 2
    HEALTHCARE_FHIR = 7


class SolutionType(Documented):
    """What a store or engine is used for."""

    SOLUTION_TYPE_UNSPECIFIED = 0
    SOLUTION_TYPE_RECOMMENDATION = 1
    SOLUTION_TYPE_SEARCH = 2
    SOLUTION_TYPE_CHAT = 3
    SOLUTION_TYPE_GENERATIVE_CHAT = 4
    SOLUTION_TYPE_AI_MODE = 5


class ContentConfig(Documented):
    """Whether documents have content beside their fields."""

    CONTENT_CONFIG_UNSPECIFIED = 0
    NO_CONTENT = 1
    CONTENT_REQUIRED = 2
    PUBLIC_WEBSITE = 3
    GOOGLE_WORKSPACE = 4


class BillingApproach(Documented):
    """How use is billed; known, stored, not acted on."""

    CONFIGURABLE_BILLING_APPROACH_UNSPECIFIED = 0
    CONFIGURABLE_SUBSCRIPTION_INDEXING_CORE = 1
    CONFIGURABLE_CONSUMPTION_EMBEDDING = 2


class LayoutBasedChunkingConfig(Resource):
    """Chunk by headings, ``chunk_size`` in tokens."""

    chunk_size: Int32 = 0
    include_ancestor_headings: bool = False


class ChunkingConfig(Resource):
    """How documents are cut into chunks."""

    layout_based_chunking_config: LayoutBasedChunkingConfig | None = None


class OcrParsingConfig(Resource):
    """Parse by recognising characters."""

    enhanced_document_elements: tuple[str, ...] = ()
    use_native_text: bool = False


class LayoutParsingConfig(Resource):
    """Parse by the layout of the page."""

    enable_table_annotation: bool = False
    enable_image_annotation: bool = False
    structured_content_types: tuple[str, ...] = ()
    exclude_html_elements: tuple[str, ...] = ()
    exclude_html_classes: tuple[str, ...] = ()
    exclude_html_ids: tuple[str, ...] = ()
    enable_llm_layout_parsing: bool = False
    enable_get_processed_document: bool = False


class ParsingConfig(Resource):
    """How files of one type are parsed."""

    digital_parsing_config: Empty | None = None
    ocr_parsing_config: OcrParsingConfig | None = None
    layout_parsing_config: LayoutParsingConfig | None = None

    def __post_init__(self) -> None:
        at_most_one(
            "type_dedicated_config",
            digitalParsingConfig=self.digital_parsing_config,
            ocrParsingConfig=self.ocr_parsing_config,
            layoutParsingConfig=self.layout_parsing_config,
        )


class DocumentProcessingConfig(Resource):
    """How files become text and chunks."""

    name: str = ""
    chunking_config: ChunkingConfig | None = None
    default_parsing_config: ParsingConfig | None = None
    parsing_config_overrides: dict[str, ParsingConfig] = msgspec.field(default={})


class Schema(Resource):
    """The shape of ``structData``."""

    struct_schema: Struct | None = None
    json_schema: str | None = None
    name: str = ""
    field_configs: tuple[Struct, ...] = ()

    def __post_init__(self) -> None:
        at_most_one(
            "schema",
            structSchema=self.struct_schema,
            jsonSchema=self.json_schema,
        )


class DataStore(Resource):
    """A place for documents; what stands as ``Struct`` is stored and echoed, not acted on."""

    name: str = ""
    display_name: str = ""
    industry_vertical: IndustryVertical = IndustryVertical.INDUSTRY_VERTICAL_UNSPECIFIED
    solution_types: tuple[SolutionType, ...] = ()
    default_schema_id: str = ""
    content_config: ContentConfig = ContentConfig.CONTENT_CONFIG_UNSPECIFIED
    create_time: Timestamp | None = None
    advanced_site_search_config: Struct | None = None
    natural_language_query_understanding_config: Struct | None = None
    kms_key_name: str = ""
    cmek_config: Struct | None = None
    billing_estimation: Struct | None = None
    acl_enabled: bool = False
    workspace_config: Struct | None = None
    document_processing_config: DocumentProcessingConfig | None = None
    starting_schema: Schema | None = None
    healthcare_fhir_config: Struct | None = None
    identity_mapping_store: str = ""
    language_info: Struct | None = None
    serving_config_data_store: Struct | None = None
    is_infobot_faq_data_store: bool = False
    federated_search_config: Struct | None = None
    configurable_billing_approach: BillingApproach = (
        BillingApproach.CONFIGURABLE_BILLING_APPROACH_UNSPECIFIED
    )
    configurable_billing_approach_update_time: Timestamp | None = None
    idp_config: Struct | None = None


class CreateDataStoreRequest(Resource):
    """Create a data store of the id ``data_store_id``."""

    cmek_config_name: str | None = None
    disable_cmek: bool | None = None
    parent: str = ""
    data_store: DataStore | None = None
    data_store_id: str = ""
    create_advanced_site_search: bool = False
    skip_default_schema_creation: bool = False

    def __post_init__(self) -> None:
        at_most_one(
            "cmek_options",
            cmekConfigName=self.cmek_config_name,
            disableCmek=self.disable_cmek,
        )


class ListDataStoresRequest(Resource):
    """Read one page of the data stores of a collection."""

    parent: str = ""
    page_size: Int32 = 0
    page_token: str = ""
    filter: str = ""


class ListDataStoresResponse(Resource):
    """One page of data stores."""

    data_stores: tuple[DataStore, ...] = ()
    next_page_token: str = ""


class UpdateDataStoreRequest(Resource):
    """Overwrite the fields that ``update_mask`` names (AIP-134)."""

    data_store: DataStore | None = None
    update_mask: FieldMask = ""


class OperationMetadata(Resource):
    """When an operation on a data store or an engine ran."""

    create_time: Timestamp | None = None
    update_time: Timestamp | None = None
