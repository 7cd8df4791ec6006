import { toExchanges } from "../exchange.ts";
import { picture } from "../test-files.ts";

const json = { "content-type": "application/json; charset=utf-8" };

export const slack = toExchanges(
	{
		id: "slack",
		authRecipe: "slack_bot",
		fields: { token: "test-slack-token" },
		base: "https://slack.com/api",
		headers: { authorization: "Bearer test-slack-token" },
	},
	{
		post_message: {
			params: { channel: "C123ABC456", text: "Here's a message for you", thread_ts: "1503435956.000247" },
			sends: "POST /chat.postMessage",
			headers: json,
			json: { channel: "C123ABC456", text: "Here's a message for you", thread_ts: "1503435956.000247" },
			answer: {
				ok: true,
				channel: "C123ABC456",
				ts: "1503435957.000247",
				message: { text: "Here's a message for you", type: "message", ts: "1503435957.000247" },
			},
		},
		update_message: {
			params: { channel: "C123ABC456", ts: "1401383885.000061", text: "Updated text" },
			sends: "POST /chat.update",
			headers: json,
			json: { channel: "C123ABC456", ts: "1401383885.000061", text: "Updated text" },
			answer: { ok: true, channel: "C123ABC456", ts: "1401383885.000061", text: "Updated text" },
		},
		get_upload_url: {
			params: { file: picture, alt_text: "A chart" },
			sends: "GET /files.getUploadURLExternal?filename=chart%20%C3%BC.png&length=3015&alt_txt=A%20chart",
			answer: { ok: true, upload_url: "https://files.slack.com/upload/v1/ABC123", file_id: "F123ABC456" },
		},
		complete_upload: {
			params: { file_id: "F123ABC456", title: "Sales", channel: "C123ABC456", text: "Here it is" },
			sends: "POST /files.completeUploadExternal",
			headers: json,
			json: {
				files: [{ id: "F123ABC456", title: "Sales" }],
				channel_id: "C123ABC456",
				initial_comment: "Here it is",
			},
			answer: { ok: true, files: [{ id: "F123ABC456", title: "Sales" }] },
		},
		add_reaction: {
			params: { channel: "C1234567890", ts: "1234567890.123456", name: "thumbsup" },
			sends: "POST /reactions.add",
			headers: json,
			json: { channel: "C1234567890", timestamp: "1234567890.123456", name: "thumbsup" },
			answer: { ok: true },
		},
		list_messages: {
			params: { channel: "C1234567890", limit: 10, oldest: "1234567890.123456" },
			sends: "GET /conversations.history?channel=C1234567890&limit=10&oldest=1234567890.123456",
			answer: {
				ok: true,
				messages: [
					{ type: "message", user: "U123ABC456", text: "I find you punny", ts: "1512085950.000216" },
				],
				has_more: true,
				response_metadata: { next_cursor: "bmV4dF90czoxNTEyMDg1ODYxMDAwNTQz" },
			},
		},
		list_channels: {
			params: { cursor: "dGVhbTpDMDYxRkE1UEI=" },
			sends:
				"GET /conversations.list?types=public_channel&exclude_archived=true&limit=200&cursor=dGVhbTpDMDYxRkE1UEI%3D",
			answer: {
				ok: true,
				channels: [{ id: "C012AB3CD", name: "general", is_channel: true, is_member: true }],
				response_metadata: { next_cursor: "" },
			},
		},
		find_user: {
			params: { email: "spengler+ghost@example.com" },
			sends: "GET /users.lookupByEmail?email=spengler%2Bghost%40example.com",
			answer: { ok: true, user: { id: "W012A3CDE", name: "spengler", real_name: "Egon Spengler" } },
		},
	},
);
