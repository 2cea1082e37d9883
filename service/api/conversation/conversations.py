"""Conversations over REST (api.md 13)."""

from __future__ import annotations

from litestar import Controller, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.answering.methods.converse_conversation import ConverseMethod
from service.api.http.json_bodies import MessageRequest
from service.api.http.request_bodies import MAX_BODY
from service.api.http.routes import both, check_name, operation
from service.stores import Stores
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
        storage: NamedDependency[Stores],
    ) -> Conversation:
        """Open a conversation."""
        request.parameters(
            CreateConversationRequest,
            parent=request.parent,
            conversation=data,
        )
        await storage.catalogue.data_stores(request.parent)
        return await storage.conversations.create(request.parent, data)

    @get(
        both("/conversations"),
        operation_id=operation("ListConversations"),
        opt={"query": ListConversationsRequest},
    )
    async def list_conversations(
        self,
        request: MessageRequest,
        storage: NamedDependency[Stores],
    ) -> ListConversationsResponse:
        """Read one page of the conversations."""
        query = request.parameters(ListConversationsRequest, parent=request.parent)
        await storage.catalogue.data_stores(request.parent)
        found, token = await storage.conversations.list(
            ListQuery(
                request.parent, query.page_size, query.page_token, query.filter, query.order_by
            )
        )
        return ListConversationsResponse(conversations=tuple(found), next_page_token=token)

    @get(both("/conversations/{conversation:str}"), operation_id=operation("GetConversation"))
    async def get_conversation(
        self, request: MessageRequest, storage: NamedDependency[Stores]
    ) -> Conversation:
        """Read a conversation and its messages."""
        return await storage.conversations.get(request.name)

    @patch(
        both("/conversations/{conversation:str}"),
        operation_id=operation("UpdateConversation"),
        opt={"query": UpdateConversationRequest},
    )
    async def update_conversation(
        self,
        request: MessageRequest,
        data: JSONBody[Conversation],
        storage: NamedDependency[Stores],
    ) -> Conversation:
        """Overwrite fields of a conversation."""
        query = request.parameters(UpdateConversationRequest, conversation=data)
        fields = json_codec.present(Conversation, await request.body())
        return await storage.conversations.update(request.name, data, query.update_mask, fields)

    @delete(
        both("/conversations/{conversation:str}"),
        status_code=200,
        operation_id=operation("DeleteConversation"),
    )
    async def delete_conversation(
        self, request: MessageRequest, storage: NamedDependency[Stores]
    ) -> Empty:
        """Delete a conversation with everything below it."""
        await storage.conversations.delete(request.name)
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
        conversing: NamedDependency[ConverseMethod],
    ) -> ConverseConversationResponse:
        """Say something in a conversation, or with the id ``-`` in a new one."""
        check_name(data.name, request.name, field="name")
        return await request.answer(conversing.converse(request.name, data))
