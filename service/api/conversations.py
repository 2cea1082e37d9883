"""Conversations over REST (api.md 13)."""

from __future__ import annotations

from typing import Any

from litestar import Controller, Request, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.answering.conversing import Conversing
from service.api.routes import both, check_name, operation
from service.corpus.catalogue import Catalogue
from sessions import wire
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
from sessions.store import ConversationStore
from sessions.traversal import Query


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
        request: Request[Any, Any, Any],
        parent: NamedDependency[str],
        data: JSONBody[Conversation],
        catalogue: NamedDependency[Catalogue],
        conversations: NamedDependency[ConversationStore],
    ) -> Conversation:
        """Open a conversation."""
        wire.from_query(
            CreateConversationRequest,
            request.query_params.multi_items(),
            parent=parent,
            conversation=data,
        )
        await catalogue.data_stores(parent)
        return await conversations.create(parent, data)

    @get(
        both("/conversations"),
        operation_id=operation("ListConversations"),
        opt={"query": ListConversationsRequest},
    )
    async def list_conversations(
        self,
        request: Request[Any, Any, Any],
        parent: NamedDependency[str],
        catalogue: NamedDependency[Catalogue],
        conversations: NamedDependency[ConversationStore],
    ) -> ListConversationsResponse:
        """Read one page of the conversations."""
        query = wire.from_query(
            ListConversationsRequest, request.query_params.multi_items(), parent=parent
        )
        await catalogue.data_stores(parent)
        found, token = await conversations.list(
            Query(parent, query.page_size, query.page_token, query.filter, query.order_by)
        )
        return ListConversationsResponse(conversations=tuple(found), next_page_token=token)

    @get(both("/conversations/{conversation:str}"), operation_id=operation("GetConversation"))
    async def get_conversation(
        self, name: NamedDependency[str], conversations: NamedDependency[ConversationStore]
    ) -> Conversation:
        """Read a conversation and its messages."""
        return await conversations.get(name)

    @patch(
        both("/conversations/{conversation:str}"),
        operation_id=operation("UpdateConversation"),
        opt={"query": UpdateConversationRequest},
    )
    async def update_conversation(
        self,
        request: Request[Any, Any, Any],
        name: NamedDependency[str],
        data: JSONBody[Conversation],
        conversations: NamedDependency[ConversationStore],
    ) -> Conversation:
        """Overwrite fields of a conversation."""
        query = wire.from_query(
            UpdateConversationRequest, request.query_params.multi_items(), conversation=data
        )
        fields = wire.present(Conversation, await request.body())
        return await conversations.update(name, data, query.update_mask, fields)

    @delete(
        both("/conversations/{conversation:str}"),
        status_code=200,
        operation_id=operation("DeleteConversation"),
    )
    async def delete_conversation(
        self, name: NamedDependency[str], conversations: NamedDependency[ConversationStore]
    ) -> Empty:
        """Delete a conversation with everything below it."""
        await conversations.delete(name)
        return Empty()

    @post(
        both("/conversations/{conversation:str}/:converse"),
        status_code=200,
        operation_id=operation("ConverseConversation"),
    )
    async def converse_conversation(
        self,
        name: NamedDependency[str],
        data: JSONBody[ConverseConversationRequest],
        conversing: NamedDependency[Conversing],
    ) -> ConverseConversationResponse:
        """Say something in a conversation, or with the id ``-`` in a new one."""
        check_name(data.name, name, field="name")
        return await conversing.converse(name, data)
