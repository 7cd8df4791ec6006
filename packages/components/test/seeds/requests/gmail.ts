import { toExchanges } from "../exchange.ts";
import { PICTURE, picture } from "../test-files.ts";
import { service } from "./google.ts";

const sent = { id: "18c1a2", threadId: "18c1", labelIds: ["SENT"] };
const encode = (text: string) => Buffer.from(text).toString("base64");
const TEXT = ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64", ""];
const HTML = ["Content-Type: text/html; charset=utf-8", "Content-Transfer-Encoding: base64", ""];

/** RFC 2822 with base64url bodies, as the API returns messages. */
const received = {
	id: "18c1a2",
	threadId: "18c1",
	labelIds: ["INBOX", "UNREAD"],
	snippet: "Grüße",
	payload: {
		mimeType: "multipart/mixed",
		headers: [
			{ name: "From", value: "Ada <ada@example.com>" },
			{ name: "To", value: "bob@example.com" },
			{ name: "Subject", value: "Order 7" },
			{ name: "Date", value: "Sat, 31 Jan 2026 09:00:00 +0100" },
			{ name: "Message-Id", value: "<abc@mail.example.com>" },
		],
		parts: [
			{
				mimeType: "multipart/alternative",
				parts: [
					{ mimeType: "text/plain", body: { size: 12, data: "R3LDvMOfZT8-Pw==" } },
					{ mimeType: "text/html", body: { size: 15, data: "PGI-aDwvYj4=" } },
				],
			},
			{ mimeType: "application/pdf", filename: "a.pdf", body: { attachmentId: "ANGjdJ8", size: 48213 } },
		],
	},
};

export const gmail = toExchanges(service("gmail", "gmail.modify", "https://gmail.googleapis.com"), {
	send_email: {
		params: {
			to: ["Jürgen <juergen@example.com>", "bob@example.com"],
			bcc: "carol@example.com",
			subject: "Größe",
			text: "Hello\nJürgen",
			html: "<p>Hello",
			attachments: [picture],
		},
		sends: "POST /upload/gmail/v1/users/me/messages/send?uploadType=media",
		headers: { "content-type": "message/rfc822" },
		message: {
			lines: [
				`To: =?UTF-8?B?${encode("Jürgen")}?= <juergen@example.com>,`,
				" bob@example.com",
				"Bcc: carol@example.com",
				`Subject: =?UTF-8?B?${encode("Größe")}?=`,
				"MIME-Version: 1.0",
				'Content-Type: multipart/mixed; boundary="B1"',
				"",
				"--B1",
				'Content-Type: multipart/alternative; boundary="B2"',
				"",
				"--B2",
				...TEXT,
				encode("Hello\r\nJürgen"),
				"--B2",
				...HTML,
				encode("<p>Hello"),
				"--B2--",
				"",
				"--B1",
				"Content-Type: image/png",
				"Content-Disposition: attachment;",
				" filename*=UTF-8''chart%20%C3%BC.png",
				"Content-Transfer-Encoding: base64",
				"",
				...(PICTURE.toString("base64").match(/.{1,76}/g) ?? []),
				"--B1--",
				"",
			],
		},
		answer: sent,
	},
	reply: {
		params: {
			thread_id: "18c1",
			to: "ada@example.com",
			subject: "Re: Order 7",
			in_reply_to: "<abc@mail.example.com>",
			text: "Thanks",
		},
		sends: "POST /upload/gmail/v1/users/me/messages/send?uploadType=multipart",
		headers: { "content-type": "multipart/related" },
		parts: [
			{ name: "metadata", type: "application/json; charset=UTF-8", content: '{"threadId":"18c1"}' },
			{
				name: "message",
				type: "message/rfc822",
				content: [
					"To: ada@example.com",
					"Subject: Re: Order 7",
					"In-Reply-To: <abc@mail.example.com>",
					"References: <abc@mail.example.com>",
					"MIME-Version: 1.0",
					...TEXT,
					encode("Thanks"),
				].join("\r\n"),
			},
		],
		answer: sent,
	},
	create_draft: {
		params: { to: "ada@example.com", subject: "Offer", html: "<p>…" },
		sends: "POST /upload/gmail/v1/users/me/drafts?uploadType=media",
		headers: { "content-type": "message/rfc822" },
		message: {
			lines: ["To: ada@example.com", "Subject: Offer", "MIME-Version: 1.0", ...HTML, encode("<p>…")],
		},
		answer: { id: "r-123", message: { ...sent, labelIds: ["DRAFT"] } },
	},
	send_draft: {
		params: { draft_id: "r-123" },
		sends: "POST /gmail/v1/users/me/drafts/send",
		json: { id: "r-123" },
		answer: sent,
	},
	search_messages: {
		params: { query: "from:ada is:unread", labels: ["INBOX", "Label_7"], limit: 10, page_token: "p2" },
		sends:
			"GET /gmail/v1/users/me/messages?q=from%3Aada%20is%3Aunread&labelIds=INBOX&labelIds=Label_7&maxResults=10&pageToken=p2&includeSpamTrash=false",
		answer: {
			messages: [{ id: "18c1a2", threadId: "18c1" }],
			nextPageToken: "p3",
			resultSizeEstimate: 201,
		},
	},
	get_message: {
		params: { message_id: "18c1a2" },
		sends: "GET /gmail/v1/users/me/messages/18c1a2?format=full",
		answer: received,
		output: {
			id: "18c1a2",
			thread_id: "18c1",
			labels: ["INBOX", "UNREAD"],
			subject: "Order 7",
			from: "Ada <ada@example.com>",
			to: "bob@example.com",
			cc: "",
			date: "Sat, 31 Jan 2026 09:00:00 +0100",
			message_id: "<abc@mail.example.com>",
			references: "",
			snippet: "Grüße",
			text: "Grüße?>?",
			parts: received.payload.parts,
		},
	},
	get_attachment: {
		params: { message_id: "18c1a2", attachment_id: "ANGjdJ8", name: "chart.png" },
		sends: "GET /gmail/v1/users/me/messages/18c1a2/attachments/ANGjdJ8",
		answer: { size: PICTURE.length, data: PICTURE.toString("base64url") },
		outputFile: { name: "chart.png", type: "image/png", bytes: PICTURE },
	},
	change_labels: {
		params: { message_id: "18c1a2", remove: ["UNREAD"] },
		sends: "POST /gmail/v1/users/me/messages/18c1a2/modify",
		json: { removeLabelIds: ["UNREAD"] },
		answer: { ...sent, labelIds: ["INBOX"] },
	},
	list_labels: {
		sends: "GET /gmail/v1/users/me/labels",
		answer: { labels: [{ id: "INBOX", name: "INBOX", type: "system" }] },
	},
	trash_message: {
		params: { message_id: "18c1a2" },
		sends: "POST /gmail/v1/users/me/messages/18c1a2/trash",
		answer: { ...sent, labelIds: ["TRASH"] },
	},
});
