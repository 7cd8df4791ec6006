import { choice, integer, list, text } from "@tripline/components/schema-words";
import { recipe } from "../manifest.ts";
import { object, params } from "../schema.ts";

const room_id = text("The room's id, such as !abc:example.org", { minLength: 1 });
const transaction_id = text(
	"Any text that is new for each message; the same again sends nothing, so retries are safe",
	{ minLength: 1, maxLength: 200 },
);
const event = object({ event_id: text("The message's id") }, "The message");
const send = "/rooms/{room_id}/send/m.room.message/{transaction_id}";

export const matrix = recipe({
	id: "matrix",
	title: "Matrix",
	description: `Sends and reads messages in rooms of [Matrix](https://matrix.org), on any server.

Use it for alerts and reports in a team's room. It takes the access token of an account that is a member of the room; make one for the purpose. Messages are not encrypted: rooms with encryption show them, with a warning.`,
	tags: ["chat", "notification"],
	hosts: ["{host}"],
	auth_recipes: {
		token: {
			title: "Matrix access token",
			type: "bearer",
			fields: [
				{ name: "host", secret: false, help: "Your server's name, such as matrix-client.matrix.org" },
				{ name: "token", secret: true, help: "Access token of the account; in Element under Help and About" },
			],
			inject: { token: "{token}" },
			hosts: ["{host}"],
		},
	},
	recipe: {
		auth: "token",
		base_url: "https://{{credential.host}}/_matrix/client/v3",
		docs_url: "https://spec.matrix.org/latest/client-server-api/",
		operations: {
			send_text: {
				title: "Send a text",
				method: "PUT",
				path: send,
				params: params(
					{
						room_id,
						transaction_id,
						body: text("What it says", { minLength: 1, maxLength: 60_000 }),
						msgtype: choice(
							["m.text", "m.notice", "m.emote"],
							"m.notice is for machines: others do not answer",
							{
								default: "m.notice",
							},
						),
					},
					["room_id", "transaction_id", "body"],
				),
				body: { kind: "json", value: { msgtype: "{{params.msgtype}}", body: "{{params.body}}" } },
				output: { schema: event },
				examples: [
					{
						title: "The run's id makes it safe to try again",
						params: { room_id: "!tea:example.org", transaction_id: "{{execution.id}}", body: "Tea is ready" },
					},
				],
			},
			send_html: {
				title: "Send formatted text",
				description: "markdown_to_html makes HTML that fits.",
				method: "PUT",
				path: send,
				params: params(
					{
						room_id,
						transaction_id,
						body: text("The same without markup, for programs that show none", {
							minLength: 1,
							maxLength: 30_000,
						}),
						html: text("What it says, in HTML", { minLength: 1, maxLength: 30_000 }),
					},
					["room_id", "transaction_id", "body", "html"],
				),
				body: {
					kind: "json",
					value: {
						msgtype: "m.notice",
						body: "{{params.body}}",
						format: "org.matrix.custom.html",
						formatted_body: "{{params.html}}",
					},
				},
				output: { schema: event },
				examples: [
					{
						title: "A word in bold",
						params: {
							room_id: "!tea:example.org",
							transaction_id: "42",
							body: "Tea is ready",
							html: "Tea is <b>ready</b>",
						},
					},
				],
			},
			messages: {
				title: "Read messages",
				method: "GET",
				path: "/rooms/{room_id}/messages",
				params: params(
					{
						room_id,
						limit: integer("Events at most", { minimum: 1, maximum: 100, default: 20 }),
						from: text("end of the answer before, to read on"),
						dir: choice(["b", "f"], "b: the newest first, f: the oldest first", { default: "b" }),
					},
					["room_id"],
				),
				query: { dir: "{{params.dir}}", limit: "{{params.limit}}", from: "{{params.from}}" },
				output: {
					schema: object(
						{
							chunk: list({ type: "object" }, "The events"),
							start: text("Where it begins"),
							end: text("Give it as from to read on; left out at the end"),
						},
						"A page",
						["chunk"],
					),
				},
				examples: [{ title: "The last 20", params: { room_id: "!tea:example.org" } }],
			},
			joined_rooms: {
				title: "List rooms",
				method: "GET",
				path: "/joined_rooms",
				params: params({}, []),
				output: {
					value: "{{data.joined_rooms}}",
					schema: list({ type: "string" }, "Ids of the rooms that the account is a member of"),
				},
				examples: [{ title: "All rooms", params: {} }],
			},
		},
	},
});
