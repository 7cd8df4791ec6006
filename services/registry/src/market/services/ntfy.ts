import { choice, flag, integer, list, text } from "@tripline/components/schema-words";
import { recipe } from "../manifest.ts";
import { object, params } from "../schema.ts";

export const ntfy = recipe({
	id: "ntfy",
	title: "ntfy",
	description: `Push messages to phones and browsers through [ntfy.sh](https://ntfy.sh), without an account: pick a topic that nobody guesses, subscribe to it in the app, publish to it here.

Use it to be told of failed runs, finished jobs and alerts. Who knows the topic can read it: treat its name as a password and send nothing secret. Free use is limited to about 250 messages a day.`,
	tags: ["notification", "push", "alert"],
	hosts: ["ntfy.sh"],
	recipe: {
		auth: null,
		base_url: "https://ntfy.sh",
		docs_url: "https://docs.ntfy.sh/publish/",
		operations: {
			publish: {
				title: "Send a message",
				description: "Sends a message to all who subscribed to a topic.",
				method: "POST",
				path: "/",
				params: params(
					{
						topic: text("The topic: 1 to 64 letters, digits, _ or -", { minLength: 1, maxLength: 64 }),
						message: text("What it says; longer texts than 4096 bytes arrive as a file", { minLength: 1 }),
						title: text("Its title", { maxLength: 250 }),
						priority: integer("1 is quiet, 3 is normal, 5 rings until it is seen", {
							minimum: 1,
							maximum: 5,
						}),
						tags: list({ type: "string" }, "Words; names of emoji such as warning are shown as such"),
						click: text("Page to open when it is tapped"),
						attach: text("Address of a file to attach"),
						icon: text("Address of a picture to show beside it"),
						markdown: flag("Whether the message is Markdown"),
						delay: text("When to send it: a duration such as 30m, or words such as tomorrow, 10am"),
						actions: list({ type: "object" }, "Buttons, as ntfy documents them", { maxItems: 3 }),
					},
					["topic", "message"],
				),
				body: {
					kind: "json",
					value: {
						topic: "{{params.topic}}",
						message: "{{params.message}}",
						title: "{{params.title}}",
						priority: "{{params.priority}}",
						tags: "{{params.tags}}",
						click: "{{params.click}}",
						attach: "{{params.attach}}",
						icon: "{{params.icon}}",
						markdown: "{{params.markdown}}",
						delay: "{{params.delay}}",
						actions: "{{params.actions}}",
					},
				},
				output: {
					schema: object(
						{
							id: text("The message's id"),
							time: integer("When it was published, in Unix seconds"),
							topic: text("The topic"),
							message: text("What it says"),
						},
						"The message",
						["id", "time", "topic"],
					),
				},
				examples: [
					{ title: "A line of text", params: { topic: "tea-4xk29", message: "The tea is ready" } },
					{
						title: "An alert with a page to open",
						params: {
							topic: "tea-4xk29",
							title: "Checkout fails",
							message: "3 of 5 checks failed",
							priority: 5,
							tags: ["warning"],
							click: "https://status.example.com",
						},
					},
				],
			},
			recent: {
				title: "Read recent messages",
				description: "The messages of a topic that are still kept (12 hours), one JSON object on each line.",
				method: "GET",
				path: "/{topic}/json",
				params: params(
					{
						topic: text("The topic", { minLength: 1, maxLength: 64 }),
						since: text("From when on: all, a duration such as 10m, Unix seconds or a message's id", {
							default: "all",
						}),
						priority: choice(["1", "2", "3", "4", "5"], "Only those of this priority"),
					},
					["topic"],
				),
				query: { poll: "1", since: "{{params.since}}", priority: "{{params.priority}}" },
				response: "text",
				output: { schema: text("One JSON object on each line; empty if there are none") },
				examples: [{ title: "Of the last ten minutes", params: { topic: "tea-4xk29", since: "10m" } }],
			},
		},
	},
});
