import type { ApiRecipe } from "@tripline/contract/recipes";
import { integer, list, text } from "../schema-words.ts";
import { answer, object, orNull, params } from "./schema.ts";

const to = text("Telephone number with country code, such as +4915112345678; whatsapp:+49... for WhatsApp");
const from = text("One of your Twilio numbers, such as +14155552671, or whatsapp:+...");
const message_sid = text("The message's SID, starts with SM or MM");
const message = answer({
	sid: text("The message's SID"),
	status: text("Such as queued, sent, delivered or failed"),
	to: text("Recipient"),
	from: orNull(text("Sender")),
	body: text("Its text"),
	error_code: orNull(integer("Error code")),
	error_message: orNull(text("Error message")),
});

export const twilio: ApiRecipe = {
	id: "twilio",
	category: "messaging",
	title: "Twilio",
	description: "Sends SMS and WhatsApp messages and makes telephone calls.",
	auth: "twilio_account",
	base_url: "https://api.twilio.com/2010-04-01/Accounts/{{credential.account_sid}}",
	docs_url: "https://www.twilio.com/docs/messaging/api/message-resource",
	operations: {
		send_message: {
			title: "Send an SMS or WhatsApp message",
			description: "Set from or messaging_service_sid.",
			method: "POST",
			path: "/Messages.json",
			params: params(
				{ to, body: text("The text", { maxLength: 1600 }) },
				{
					from,
					messaging_service_sid: text("A messaging service that picks the number, starts with MG"),
					media_url: list(text("https:// URL of an image"), "Images", { maxItems: 10 }),
					status_callback: text("https:// URL that receives status updates"),
				},
			),
			body: {
				kind: "form",
				fields: {
					To: "{{params.to}}",
					From: "{{params.from}}",
					MessagingServiceSid: "{{params.messaging_service_sid}}",
					Body: "{{params.body}}",
					MediaUrl: "{{params.media_url}}",
					StatusCallback: "{{params.status_callback}}",
				},
			},
			output: { schema: message },
			examples: [
				{ title: "A code", params: { to: "+15558675310", from: "+15557122661", body: "Your code is 1234" } },
				{
					title: "WhatsApp, as an answer within 24 hours",
					params: { to: "whatsapp:+15558675310", from: "whatsapp:+14155238886", body: "It is on its way." },
				},
			],
		},
		send_template: {
			title: "Send a message from a template",
			description:
				"WhatsApp requires a template, made with Twilio's Content Template Builder, if the recipient has not written within 24 hours. Set from or messaging_service_sid.",
			method: "POST",
			path: "/Messages.json",
			params: params(
				{ to, content_sid: text("The template's SID, starts with HX") },
				{
					from,
					messaging_service_sid: text("A messaging service that picks the number, starts with MG"),
					variables: object("Values for the template, such as { 1: Ada }"),
				},
			),
			body: {
				kind: "form",
				fields: {
					To: "{{params.to}}",
					From: "{{params.from}}",
					MessagingServiceSid: "{{params.messaging_service_sid}}",
					ContentSid: "{{params.content_sid}}",
					ContentVariables: "{{params.variables | json}}",
				},
			},
			output: { schema: message },
			examples: [
				{
					title: "WhatsApp",
					params: {
						to: "whatsapp:+15558675310",
						from: "whatsapp:+14155238886",
						content_sid: "HX00000000000000000000000000000001",
						variables: { 1: "Ada" },
					},
				},
			],
		},
		get_message: {
			title: "Get a message and its status",
			method: "GET",
			path: "/Messages/{message_sid}.json",
			params: params({ message_sid }),
			output: { schema: message },
			examples: [{ title: "One", params: { message_sid: "SM00000000000000000000000000000001" } }],
		},
		list_messages: {
			title: "List messages",
			description: "Newest first.",
			method: "GET",
			path: "/Messages.json",
			params: params(
				{},
				{
					to: text("Only messages to this number"),
					from: text("Only messages from this number"),
					date_sent: text("Only messages of this day, such as 2026-01-31"),
					limit: integer("Maximum number of results", { minimum: 1, maximum: 1000, default: 50 }),
				},
			),
			query: {
				To: "{{params.to}}",
				From: "{{params.from}}",
				DateSent: "{{params.date_sent}}",
				PageSize: "{{params.limit}}",
			},
			paginate: { by: "link", url: "next_page_uri", items: "messages" },
			output: {
				schema: answer({
					messages: list(message, "The messages"),
					next_page_uri: orNull(text("URI of the next page")),
				}),
			},
			examples: [{ title: "Messages of one day", params: { date_sent: "2026-01-31" } }],
		},
		make_call: {
			title: "Make a telephone call",
			method: "POST",
			path: "/Calls.json",
			params: params({
				to: text("Telephone number with country code"),
				from,
				twiml: text("TwiML instructions for the call, such as <Response><Say>Hello</Say></Response>"),
			}),
			body: {
				kind: "form",
				fields: { To: "{{params.to}}", From: "{{params.from}}", Twiml: "{{params.twiml}}" },
			},
			output: { schema: answer({ sid: text("The call's SID"), status: text("Such as queued") }) },
			examples: [
				{
					title: "Speak a text",
					params: {
						to: "+15558675310",
						from: "+15557122661",
						twiml: "<Response><Say>The server is down.</Say></Response>",
					},
				},
			],
		},
		get_call: {
			title: "Get a call and its status",
			method: "GET",
			path: "/Calls/{call_sid}.json",
			params: params({ call_sid: text("The call's SID, starts with CA") }),
			output: {
				schema: answer({
					sid: text("The call's SID"),
					status: text("Such as completed, busy or no-answer"),
					duration: orNull(text("Seconds")),
				}),
			},
			examples: [{ title: "One", params: { call_sid: "CA00000000000000000000000000000001" } }],
		},
		list_numbers: {
			title: "List your telephone numbers",
			method: "GET",
			path: "/IncomingPhoneNumbers.json",
			params: params(
				{},
				{ limit: integer("Maximum number of results", { minimum: 1, maximum: 1000, default: 50 }) },
			),
			query: { PageSize: "{{params.limit}}" },
			paginate: { by: "link", url: "next_page_uri", items: "incoming_phone_numbers" },
			output: {
				schema: answer({
					incoming_phone_numbers: list(
						answer({
							sid: text("Its SID"),
							phone_number: text("The number"),
							friendly_name: text("Its name"),
						}),
						"The numbers",
					),
					next_page_uri: orNull(text("URI of the next page")),
				}),
			},
			examples: [{ title: "All", params: {} }],
		},
	},
};
