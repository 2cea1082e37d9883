"""The models that a publisher offers: ``PublisherModel`` (aiplatform v1beta1)."""

from __future__ import annotations

from sessions.resources.base import Int32, Resource, Struct
from sessions.resources.enums import Documented


class View(Documented):
    """How much of a model is shown."""

    PUBLISHER_MODEL_VIEW_UNSPECIFIED = 0
    PUBLISHER_MODEL_VIEW_BASIC = 1
    PUBLISHER_MODEL_VIEW_FULL = 2
    PUBLISHER_MODEL_VERSION_VIEW_BASIC = 3


class OpenSourceCategory(Documented):
    """Whose model it is."""

    OPEN_SOURCE_CATEGORY_UNSPECIFIED = 0
    PROPRIETARY = 1
    GOOGLE_OWNED_OSS_WITH_GOOGLE_CHECKPOINT = 2
    THIRD_PARTY_OWNED_OSS_WITH_GOOGLE_CHECKPOINT = 3
    GOOGLE_OWNED_OSS = 4
    THIRD_PARTY_OWNED_OSS = 5


class LaunchStage(Documented):
    """How ready a model is."""

    LAUNCH_STAGE_UNSPECIFIED = 0
    EXPERIMENTAL = 1
    PRIVATE_PREVIEW = 2
    PUBLIC_PREVIEW = 3
    GA = 4


class VersionState(Documented):
    """Whether a version still changes."""

    VERSION_STATE_UNSPECIFIED = 0
    VERSION_STATE_STABLE = 1
    VERSION_STATE_UNSTABLE = 2


class PublisherModel(Resource):
    """A model that can be asked for."""

    name: str = ""
    version_id: str = ""
    open_source_category: OpenSourceCategory = OpenSourceCategory.OPEN_SOURCE_CATEGORY_UNSPECIFIED
    supported_actions: Struct | None = None
    frameworks: tuple[str, ...] = ()
    launch_stage: LaunchStage = LaunchStage.LAUNCH_STAGE_UNSPECIFIED
    version_state: VersionState = VersionState.VERSION_STATE_UNSPECIFIED
    publisher_model_template: str = ""
    predict_schemata: Struct | None = None
    parent: Struct | None = None


class GetPublisherModelRequest(Resource):
    """Read about one model."""

    name: str = ""
    language_code: str = ""
    view: View = View.PUBLISHER_MODEL_VIEW_UNSPECIFIED
    is_hugging_face_model: bool = False
    hugging_face_token: str = ""
    include_equivalent_model_garden_model_deployment_configs: bool = False


class ListPublisherModelsRequest(Resource):
    """Read one page of models."""

    parent: str = ""
    filter: str = ""
    page_size: Int32 = 0
    page_token: str = ""
    view: View = View.PUBLISHER_MODEL_VIEW_UNSPECIFIED
    order_by: str = ""
    language_code: str = ""
    list_all_versions: bool = False


class ListPublisherModelsResponse(Resource):
    """One page of models."""

    publisher_models: tuple[PublisherModel, ...] = ()
    next_page_token: str = ""
