"""Conversations over REST."""

from __future__ import annotations

from litestar import Controller, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.answering.methods.converse_conversation import ConverseMethod
from service.api.http.json_bodies import MessageRequest
from service.api.http.request_bodies import MAX_BODY
from service.api.http.routes import both, check_name, operation
from service.corpus.catalogue.catalogue import Catalogue
from sessions.codec import json_codec
from sessions.listing.pagination import ListQuery
from sessions.resources.base import Empty
from sessions.resources.conversations import (
    Conversation,
    ConverseConversationRequest,
    ConverseConversationResponse,
    CreateConversationRequest,
    ListConversationsRequest,
    ListConversationsResponse,
    UpdateConversationRequest,
)
from sessions.stores.store_set import ConversationStore


class ConversationsController(Controller):
    """``…/{dataStores|engines}/*/conversations``."""

    tags = ("Conversations",)

    @post(
        both("/conversations"),
        status_code=200,
        operation_id=operation("CreateConversation"),
        opt={"query": CreateConversationRequest},
    )
    async def create_conversation(
        self,
        request: MessageRequest,
        data: JSONBody[Conversation],
        catalogue: NamedDependency[Catalogue],
        conversation_store: NamedDependency[ConversationStore],
    ) -> Conversation:
        """Open a conversation."""
        request.parameters(
            CreateConversationRequest,
            parent=request.parent,
            conversation=data,
        )
        await catalogue.data_stores(request.parent)
        return await conversation_store.create(request.parent, data)

    @get(
        both("/conversations"),
        operation_id=operation("ListConversations"),
        opt={"query": ListConversationsRequest},
    )
    async def list_conversations(
        self,
        request: MessageRequest,
        catalogue: NamedDependency[Catalogue],
        conversation_store: NamedDependency[ConversationStore],
    ) -> ListConversationsResponse:
        """Read one page of the conversations."""
        query = request.parameters(ListConversationsRequest, parent=request.parent)
        await catalogue.data_stores(request.parent)
        found, token = await conversation_store.list(
            request.asked_by(
                ListQuery(
                    request.parent, query.page_size, query.page_token, query.filter, query.order_by
                )
            )
        )
        return ListConversationsResponse(conversations=tuple(found), next_page_token=token)

    @get(both("/conversations/{conversation:str}"), operation_id=operation("GetConversation"))
    async def get_conversation(
        self, request: MessageRequest, conversation_store: NamedDependency[ConversationStore]
    ) -> Conversation:
        """Read a conversation and its messages."""
        found = request.admitted_resource
        if isinstance(found, Conversation):
            return found
        return await conversation_store.get(request.name)

    @patch(
        both("/conversations/{conversation:str}"),
        operation_id=operation("UpdateConversation"),
        opt={"query": UpdateConversationRequest},
    )
    async def update_conversation(
        self,
        request: MessageRequest,
        data: JSONBody[Conversation],
        conversation_store: NamedDependency[ConversationStore],
    ) -> Conversation:
        """Overwrite fields of a conversation."""
        query = request.parameters(UpdateConversationRequest, conversation=data)
        fields = json_codec.present(Conversation, await request.body())
        return await conversation_store.update(request.name, data, query.update_mask, fields)

    @delete(
        both("/conversations/{conversation:str}"),
        status_code=200,
        operation_id=operation("DeleteConversation"),
    )
    async def delete_conversation(
        self, request: MessageRequest, conversation_store: NamedDependency[ConversationStore]
    ) -> Empty:
        """Delete a conversation with everything below it."""
        await conversation_store.delete(request.name)
        return Empty()

    @post(
        both("/conversations/{conversation:str}/:converse"),
        status_code=200,
        request_max_body_size=MAX_BODY,
        operation_id=operation("ConverseConversation"),
    )
    async def converse_conversation(
        self,
        request: MessageRequest,
        data: JSONBody[ConverseConversationRequest],
        converse_method: NamedDependency[ConverseMethod],
    ) -> ConverseConversationResponse:
        """Say something in a conversation, or with the id ``-`` in a new one."""
        check_name(data.name, request.name, field="name")
        return await request.answer(converse_method.converse(request.name, data, request.viewer))
