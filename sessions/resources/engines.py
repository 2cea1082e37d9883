"""The ``Engine`` resource: a named view over data stores (discoveryengine)."""

from __future__ import annotations

import msgspec

from sessions.resources import data_stores
from sessions.resources.base import FieldMask, Int32, Resource, Struct, Timestamp, at_most_one
from sessions.resources.enums import Documented


class SearchTier(Documented):
    """Which search features an engine has."""

    SEARCH_TIER_UNSPECIFIED = 0
    SEARCH_TIER_STANDARD = 1
    SEARCH_TIER_ENTERPRISE = 2


class SearchAddOn(Documented):
    """What an engine does beside searching."""

    SEARCH_ADD_ON_UNSPECIFIED = 0
    SEARCH_ADD_ON_LLM = 1


class SubscriptionTier(Documented):
    """Which subscription a user needs; known, stored, not acted on."""

    SUBSCRIPTION_TIER_UNSPECIFIED = 0
    SUBSCRIPTION_TIER_SEARCH = 1
    SUBSCRIPTION_TIER_SEARCH_AND_ASSISTANT = 2
    SUBSCRIPTION_TIER_NOTEBOOK_LM = 3
    SUBSCRIPTION_TIER_FRONTLINE_WORKER = 4
    SUBSCRIPTION_TIER_AGENTSPACE_BUSINESS = 6
    SUBSCRIPTION_TIER_ENTERPRISE = 7
    SUBSCRIPTION_TIER_EDU = 8
    SUBSCRIPTION_TIER_EDU_PRO = 9
    SUBSCRIPTION_TIER_AGENTSPACE_STARTER = 10
    SUBSCRIPTION_TIER_EDU_EMERGING = 11
    SUBSCRIPTION_TIER_EDU_PRO_EMERGING = 12
    SUBSCRIPTION_TIER_FRONTLINE_STARTER = 13
    SUBSCRIPTION_TIER_ENTERPRISE_EMERGING = 15


class AppType(Documented):
    """What kind of application an engine serves."""

    APP_TYPE_UNSPECIFIED = 0
    APP_TYPE_INTRANET = 1


class FeatureState(Documented):
    """Whether a feature is on."""

    FEATURE_STATE_UNSPECIFIED = 0
    FEATURE_STATE_ON = 1
    FEATURE_STATE_OFF = 2


class BillingApproach(Documented):
    """How use is billed; known, stored, not acted on."""

    CONFIGURABLE_BILLING_APPROACH_UNSPECIFIED = 0
    CONFIGURABLE_BILLING_APPROACH_ENABLED = 1


class ModelState(Documented):
    """Whether a model may be used."""

    MODEL_STATE_UNSPECIFIED = 0
    MODEL_ENABLED = 1
    MODEL_DISABLED = 2


class MarketplaceAgentVisibility(Documented):
    """Which agents of a marketplace are shown."""

    MARKETPLACE_AGENT_VISIBILITY_UNSPECIFIED = 0
    SHOW_AVAILABLE_AGENTS_ONLY = 1
    SHOW_AGENTS_ALREADY_INTEGRATED = 2
    SHOW_AGENTS_ALREADY_PURCHASED = 3
    SHOW_ALL_AGENTS = 4


class SearchEngineConfig(Resource):
    """What a search engine can do."""

    search_tier: SearchTier = SearchTier.SEARCH_TIER_UNSPECIFIED
    search_add_ons: tuple[SearchAddOn, ...] = ()
    required_subscription_tier: SubscriptionTier = SubscriptionTier.SUBSCRIPTION_TIER_UNSPECIFIED


class CommonConfig(Resource):
    """Whose engine it is."""

    company_name: str = ""


class Engine(Resource):
    """A named view over data stores; what stands as ``Struct`` is stored and echoed."""

    chat_engine_config: Struct | None = None
    search_engine_config: SearchEngineConfig | None = None
    media_recommendation_engine_config: Struct | None = None
    chat_engine_metadata: Struct | None = None
    name: str = ""
    display_name: str = ""
    create_time: Timestamp | None = None
    update_time: Timestamp | None = None
    data_store_ids: tuple[str, ...] = ()
    solution_type: data_stores.SolutionType = data_stores.SolutionType.SOLUTION_TYPE_UNSPECIFIED
    industry_vertical: data_stores.IndustryVertical = (
        data_stores.IndustryVertical.INDUSTRY_VERTICAL_UNSPECIFIED
    )
    common_config: CommonConfig | None = None
    disable_analytics: bool = False
    knowledge_graph_config: Struct | None = None
    app_type: AppType = AppType.APP_TYPE_UNSPECIFIED
    features: dict[str, FeatureState] = msgspec.field(default={})
    cmek_config: Struct | None = None
    configurable_billing_approach: BillingApproach = (
        BillingApproach.CONFIGURABLE_BILLING_APPROACH_UNSPECIFIED
    )
    model_configs: dict[str, ModelState] = msgspec.field(default={})
    observability_config: Struct | None = None
    connector_tenant_info: dict[str, str] = msgspec.field(default={})
    agent_gateway_setting: Struct | None = None
    marketplace_agent_visibility: MarketplaceAgentVisibility = (
        MarketplaceAgentVisibility.MARKETPLACE_AGENT_VISIBILITY_UNSPECIFIED
    )
    procurement_contact_emails: tuple[str, ...] = ()
    similar_documents_config: Struct | None = None
    recommendation_metadata: Struct | None = None

    def __post_init__(self) -> None:
        at_most_one(
            "engine_config",
            chatEngineConfig=self.chat_engine_config,
            searchEngineConfig=self.search_engine_config,
            mediaRecommendationEngineConfig=self.media_recommendation_engine_config,
            similarDocumentsConfig=self.similar_documents_config,
        )
        at_most_one(
            "engine_metadata",
            chatEngineMetadata=self.chat_engine_metadata,
            recommendationMetadata=self.recommendation_metadata,
        )


class CreateEngineRequest(Resource):
    """Create an engine of the id ``engine_id``."""

    parent: str = ""
    engine: Engine | None = None
    engine_id: str = ""


class ListEnginesRequest(Resource):
    """Read one page of the engines of a collection."""

    parent: str = ""
    page_size: Int32 = 0
    page_token: str = ""
    filter: str = ""


class ListEnginesResponse(Resource):
    """One page of engines."""

    engines: tuple[Engine, ...] = ()
    next_page_token: str = ""


class UpdateEngineRequest(Resource):
    """Overwrite the fields that ``update_mask`` names (AIP-134)."""

    engine: Engine | None = None
    update_mask: FieldMask = ""
