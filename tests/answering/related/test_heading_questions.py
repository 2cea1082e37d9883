"""Which headings become questions, and how they read."""

from __future__ import annotations

import pytest

from service.answering.related import heading_questions


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("How do I renew?", "How do I renew?"),
        ("How to renew your license", "How do I renew my license?"),
        ("Renew your license", "How do I renew my license?"),
        ("2. Renewing a license", "How do I renew a license?"),
        ("## **What documents do I need**", "What documents do I need?"),
        ("License fees", "What are the license fees?"),
        ("Refund Policy", "What is the refund policy?"),
        ("SQL Requirements", "What are the SQL requirements?"),
        ("Using the C# library", "How do I use the C# library?"),
        ("Add and remove users", "How do I add and remove users?"),
        ("Buy or rent a locker", "How do I buy or rent a locker?"),
        ("Cómo renovar la licencia", "¿Cómo renovar la licencia?"),
        ("如何保护自己", "如何保护自己？"),
        ("Comment ça marche ?", "Comment ça marche ?"),
        ("How contributions are calculated", "How are contributions calculated?"),
        ("Employee Referral Policy", "What is the employee referral policy?"),
        ("Backing Up and Recovering Data", "How do I back up and recover data?"),
        ("Creating Your Own Policies", "How do I create my own policies?"),
        ("The Default Print Policy", "What is the default print policy?"),
        ("B.4.5. Choose a Mirror (Network)", "How do I choose a mirror?"),
        ("Back up your Existing Data!", "How do I back up my existing data?"),
        ("Using SNMP with Network Printers", "How do I use SNMP with network printers?"),
        ("Why Does My Printer Not Print?", "Why does my printer not print?"),
        ("Change your Apple account", "How do I change my Apple account?"),
        ("Sign in to your account", "How do I sign in to my account?"),
        ("Reset password", "How do I reset my password?"),
        ("11/22/26, 1:11 PM | How do I pay?", "How do I pay?"),
        ("3. Q: How do I pay?", "How do I pay?"),
        ("2.4 Q04  How do I pay?", "How do I pay?"),
        ("Renew your license[1]", "How do I renew my license?"),
        ("How do I rent a boat[12]?", "How do I rent a boat?"),
        ("Remove the users who are gone", "How do I remove the users who are gone?"),
    ],
)
def test_headings_become_questions(heading: str, question: str) -> None:
    assert heading_questions.as_question(heading) == question


@pytest.mark.parametrize(
    "heading",
    [
        "Overview",
        "FAQ",
        "Licenses",
        "",
        "§",
        "Building codes in the city",
        "# Notes",
        "How long it is kept",
        "Upload or retrieval taking a long time",
        "Pay here after the meeting",
        "Where Do I Begin?",
        "Access Log File Format",
        "Find Expense Voucher/Credit Note",
        "Setting Tax Report Options",
        "Meeting minimum hardware requirements",
        "Command-Line Printing and Options",
        "START UP 8",
        "WHAT’S INSIDE?",
        "Getting a boat is free but needs a card",
    ],
)
def test_headings_that_make_no_question_are_left_out(heading: str) -> None:
    assert not heading_questions.as_question(heading, "Some text.")


def test_a_term_that_is_defined_is_asked_for() -> None:
    text = "Spam traps\nSpam traps are addresses that catch spammers."
    assert heading_questions.as_question("Spam traps", text) == "What are spam traps?"


def test_a_name_keeps_its_capital_within_a_question() -> None:
    text = "Redis Streams are logs. What Redis Streams hold is kept."
    assert heading_questions.as_question("Redis Streams", text) == "What are Redis Streams?"


def test_a_heading_that_is_the_title_of_a_text_is_no_action() -> None:
    text = "It is told in the Scheduling Configuration Guide of the service."
    assert not heading_questions.as_question("Scheduling Configuration Guide", text)


def test_capitals_throughout_are_taken_back_from_words_that_everybody_knows() -> None:
    text = "NODE STATES\nNode states are what a node may be in."
    assert heading_questions.as_question("NODE STATES", text) == "What are node states?"
