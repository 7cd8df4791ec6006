import { toExchanges } from "../exchange.ts";
import { PICTURE, picture } from "../test-files.ts";

const service = (id: string, path: string) => ({
	id,
	authRecipe: "microsoft_token",
	fields: { token: "test-microsoft-token" },
	base: `https://graph.microsoft.com/v1.0${path}`,
	headers: { authorization: "Bearer test-microsoft-token" },
});

const encode = (text: string) => Buffer.from(text).toString("base64");
const TEXT = ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64", ""];
const message = { id: "AAMk=", subject: "Order 7", isRead: false };
const recipient = { emailAddress: { address: "ada@example.com" } };
const ACCEPTED = { status: 202, output: { sent: true } };

const mail = toExchanges(service("outlook_mail", "/me"), {
	send_email: {
		params: { to: "Jürgen <j@example.com>", subject: "Report", text: "Hi", attachments: [picture] },
		sends: "POST /sendMail",
		headers: { "content-type": "text/plain" },
		message: {
			isBase64: true,
			lines: [
				`To: =?UTF-8?B?${encode("Jürgen")}?= <j@example.com>`,
				"Subject: Report",
				"MIME-Version: 1.0",
				'Content-Type: multipart/mixed; boundary="B1"',
				"",
				"--B1",
				...TEXT,
				encode("Hi"),
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
		...ACCEPTED,
	},
	create_draft: {
		params: { to: "ada@example.com", subject: "Offer", text: "…" },
		sends: "POST /messages",
		headers: { "content-type": "text/plain" },
		message: {
			isBase64: true,
			lines: ["To: ada@example.com", "Subject: Offer", "MIME-Version: 1.0", ...TEXT, encode("…")],
		},
		status: 201,
		answer: { ...message, isDraft: true },
	},
	send_draft: { params: { message_id: "AAMk=" }, sends: "POST /messages/AAMk%3D/send", ...ACCEPTED },
	list_messages: {
		params: { filter: "isRead eq false", order_by: "receivedDateTime desc", limit: 10, skip: 20 },
		sends:
			"GET /mailFolders/inbox/messages?%24select=id%2CconversationId%2Csubject%2Cfrom%2CtoRecipients%2CreceivedDateTime%2CisRead%2ChasAttachments%2CbodyPreview&%24filter=isRead%20eq%20false&%24orderby=receivedDateTime%20desc&%24top=10&%24skip=20",
		answer: { value: [message], "@odata.nextLink": "https://graph.microsoft.com/v1.0/me/next" },
	},
	get_message: {
		params: { message_id: "AAMk=" },
		sends: "GET /messages/AAMk%3D",
		headers: { prefer: 'outlook.body-content-type="text"' },
		answer: { ...message, body: { contentType: "text", content: "Hello" } },
	},
	reply: {
		params: { message_id: "AAMk=", text: "Thanks", to: "replyAll" },
		sends: "POST /messages/AAMk%3D/replyAll",
		json: { comment: "Thanks" },
		...ACCEPTED,
	},
	forward: {
		params: { message_id: "AAMk=", to: [recipient], text: "FYI" },
		sends: "POST /messages/AAMk%3D/forward",
		json: { comment: "FYI", toRecipients: [recipient] },
		...ACCEPTED,
	},
	update_message: {
		params: { message_id: "AAMk=", is_read: true, flag: "flagged" },
		sends: "PATCH /messages/AAMk%3D",
		json: { isRead: true, flag: { flagStatus: "flagged" } },
		answer: { ...message, isRead: true },
	},
	move_message: {
		params: { message_id: "AAMk=", folder: "archive" },
		sends: "POST /messages/AAMk%3D/move",
		json: { destinationId: "archive" },
		status: 201,
		answer: message,
	},
	list_attachments: {
		params: { message_id: "AAMk=" },
		sends: "GET /messages/AAMk%3D/attachments?%24select=id%2Cname%2CcontentType%2Csize%2CisInline",
		answer: { value: [{ id: "AAMkAD", name: "a.pdf", contentType: "application/pdf", size: 9 }] },
	},
	get_attachment: {
		params: { message_id: "AAMk=", attachment_id: "AAMkAD", name: "a.pdf" },
		sends: "GET /messages/AAMk%3D/attachments/AAMkAD/$value",
		answerHeaders: { "content-type": "application/pdf" },
		answerBytes: PICTURE,
		outputFile: { name: "a.pdf", type: "application/pdf" },
	},
	list_folders: {
		params: { limit: 10 },
		sends: "GET /mailFolders?%24top=10",
		answer: { value: [{ id: "AAMkF", displayName: "Inbox", unreadItemCount: 2, totalItemCount: 9 }] },
	},
});

const start = { dateTime: "2026-01-31T09:00:00", timeZone: "Europe/Berlin" };
const end = { dateTime: "2026-01-31T10:00:00", timeZone: "Europe/Berlin" };
const event = { id: "AAMkE", subject: "Planning", start, end };
const attendees = [{ ...recipient, type: "required" }];

const calendar = toExchanges(service("outlook_calendar", "/me"), {
	list_events: {
		params: {
			from: "2026-01-31T00:00:00Z",
			until: "2026-02-07T00:00:00Z",
			time_zone: "Europe/Berlin",
			limit: 10,
		},
		sends:
			"GET /calendarView?startDateTime=2026-01-31T00%3A00%3A00Z&endDateTime=2026-02-07T00%3A00%3A00Z&%24orderby=start%2FdateTime&%24top=10",
		headers: { prefer: 'outlook.timezone="Europe/Berlin"' },
		answer: { value: [event] },
	},
	get_event: {
		params: { event_id: "AAMkE" },
		sends: "GET /events/AAMkE",
		headers: { prefer: 'outlook.timezone="UTC"' },
		answer: event,
	},
	create_event: {
		params: { subject: "Planning", start, end, attendees, location: "Room 1", online_meeting: true },
		sends: "POST /events",
		json: {
			subject: "Planning",
			start,
			end,
			location: { displayName: "Room 1" },
			attendees,
			isOnlineMeeting: true,
		},
		status: 201,
		answer: event,
	},
	update_event: {
		params: { event_id: "AAMkE", location: "Room 2" },
		sends: "PATCH /events/AAMkE",
		json: { location: { displayName: "Room 2" } },
		answer: event,
	},
	delete_event: {
		params: { event_id: "AAMkE" },
		sends: "DELETE /events/AAMkE",
		status: 204,
		output: { deleted: true },
	},
	respond_to_event: {
		params: { event_id: "AAMkE", response: "decline", comment: "Away" },
		sends: "POST /events/AAMkE/decline",
		json: { comment: "Away", sendResponse: true },
		status: 202,
		output: { responded: true },
	},
	find_busy_times: {
		params: { people: ["ada@example.com"], start, end },
		sends: "POST /calendar/getSchedule",
		json: {
			schedules: ["ada@example.com"],
			startTime: start,
			endTime: end,
			availabilityViewInterval: 30,
		},
		answer: { value: [{ scheduleId: "ada@example.com", availabilityView: "02", scheduleItems: [] }] },
	},
	list_calendars: {
		sends: "GET /calendars?%24top=100",
		answer: { value: [{ id: "AAMkC", name: "Calendar", isDefaultCalendar: true, canEdit: true }] },
	},
});

const item = { id: "01BYE5RZ", name: "report.pdf", size: 9, webUrl: "https://acme-my.sharepoint.com/x" };

const files = toExchanges(service("onedrive", "/me/drive"), {
	list_items: {
		params: { limit: 10 },
		sends: "GET /items/root/children?%24top=10",
		answer: { value: [item] },
	},
	search_items: {
		params: { query: "O'Brien (1/2)" },
		sends: "GET /root/search(q='O''Brien%20(1%2F2)')?%24top=200",
		answer: { value: [item] },
	},
	get_item: { params: { item_id: "01BYE5RZ" }, sends: "GET /items/01BYE5RZ", answer: item },
	get_item_by_path: {
		params: { path: "Reports/2026 ü.pdf" },
		sends: "GET /root:/Reports/2026%20%C3%BC.pdf",
		answer: item,
	},
	download_file: {
		params: { item_id: "01BYE5RZ", name: "report.pdf" },
		sends: "GET /items/01BYE5RZ/content",
		answerHeaders: { "content-type": "application/pdf" },
		answerBytes: PICTURE,
		outputFile: { name: "report.pdf", type: "application/pdf" },
	},
	download_as_pdf: {
		params: { item_id: "01BYE5RZ", name: "contract.pdf" },
		sends: "GET /items/01BYE5RZ/content?format=pdf",
		answerHeaders: { "content-type": "application/pdf" },
		answerBytes: PICTURE,
		outputFile: { name: "contract.pdf", type: "application/pdf" },
	},
	upload_file: {
		params: { file: picture, name: "chart ü.png", folder_id: "01F", existing: "rename" },
		sends: "PUT /items/01F:/chart%20%C3%BC.png:/content?%40microsoft.graph.conflictBehavior=rename",
		headers: { "content-type": "image/png" },
		bytes: PICTURE,
		status: 201,
		answer: item,
	},
	create_folder: {
		params: { name: "Invoices" },
		sends: "POST /items/root/children",
		json: { name: "Invoices", folder: {}, "@microsoft.graph.conflictBehavior": "fail" },
		status: 201,
		answer: { ...item, name: "Invoices", folder: { childCount: 0 } },
	},
	move_item: {
		params: { item_id: "01BYE5RZ", to: "01F" },
		sends: "PATCH /items/01BYE5RZ",
		json: { parentReference: { id: "01F" } },
		answer: item,
	},
	delete_item: {
		params: { item_id: "01BYE5RZ" },
		sends: "DELETE /items/01BYE5RZ",
		status: 204,
		output: { deleted: true },
	},
	create_link: {
		params: { item_id: "01BYE5RZ", scope: "anonymous" },
		sends: "POST /items/01BYE5RZ/createLink",
		json: { type: "view", scope: "anonymous" },
		status: 201,
		answer: { id: "123", link: { type: "view", webUrl: "https://1drv.ms/x" } },
	},
});

const item_id = "01BYE5RZ";
const values = [["Tea", 4.5]];
const range = { address: "Sheet1!A1:B1", values, text: [["Tea", "4.50"]] };
const ROWS = "/01BYE5RZ/workbook/tables/Orders/rows";
const SHEET = "/01BYE5RZ/workbook/worksheets/My%20sheet";

const excel = toExchanges(service("excel", "/me/drive/items"), {
	list_worksheets: {
		params: { item_id },
		sends: "GET /01BYE5RZ/workbook/worksheets",
		answer: { value: [{ id: "{1}", name: "Sheet1", position: 0, visibility: "Visible" }] },
	},
	list_tables: {
		params: { item_id },
		sends: "GET /01BYE5RZ/workbook/tables",
		answer: { value: [{ id: "{2}", name: "Orders" }] },
	},
	list_columns: {
		params: { item_id, table: "Orders" },
		sends: "GET /01BYE5RZ/workbook/tables/Orders/columns?%24select=name%2Cindex",
		answer: { value: [{ name: "Item", index: 0 }] },
	},
	list_rows: {
		params: { item_id, table: "Orders", limit: 10, skip: 20 },
		sends: `GET ${ROWS}?%24select=index%2Cvalues&%24top=10&%24skip=20`,
		answer: { value: [{ index: 20, values }] },
	},
	add_rows: {
		params: { item_id, table: "Orders", values },
		sends: `POST ${ROWS}`,
		json: { values },
		status: 201,
		answer: { index: 21, values },
	},
	update_row: {
		params: { item_id, table: "Orders", index: 3, values: [[null, 5]] },
		sends: `PATCH ${ROWS}/3`,
		json: { values: [[null, 5]] },
		answer: { index: 3, values: [["Tea", 5]] },
	},
	delete_row: {
		params: { item_id, table: "Orders", index: 3 },
		sends: `DELETE ${ROWS}/3`,
		status: 204,
		output: { deleted: true },
	},
	read_range: {
		params: { item_id, worksheet: "My sheet", address: "A1:B1" },
		sends: `GET ${SHEET}/range(address='A1%3AB1')?%24select=address%2Cvalues%2Ctext`,
		answer: range,
	},
	read_used_range: {
		params: { item_id, worksheet: "My sheet" },
		sends: `GET ${SHEET}/usedRange(valuesOnly=true)?%24select=address%2Cvalues%2Ctext`,
		answer: range,
	},
	update_range: {
		params: { item_id, worksheet: "My sheet", address: "A1:B1", values },
		sends: `PATCH ${SHEET}/range(address='A1%3AB1')`,
		json: { values },
		answer: range,
	},
	clear_range: {
		params: { item_id, worksheet: "My sheet", address: "C:C" },
		sends: `POST ${SHEET}/range(address='C%3AC')/clear`,
		json: { applyTo: "Contents" },
		status: 204,
		output: { cleared: true },
	},
	create_table: {
		params: { item_id, address: "Sheet1!A1:D5" },
		sends: "POST /01BYE5RZ/workbook/tables/add",
		json: { address: "Sheet1!A1:D5", hasHeaders: true },
		status: 201,
		answer: { id: "{3}", name: "Table1" },
	},
});

const team_id = "fbe2bf47-16c8-47cf-b4a5-4b9b187c508b";
const channel_id = "19:4a95f7d8db4c4e7fae857bcebe0623e6@thread.tacv2";
const CHANNEL = `/teams/${team_id}/channels/19%3A4a95f7d8db4c4e7fae857bcebe0623e6%40thread.tacv2/messages`;
const chat_id = "19:2da4c29f6d7041eca70b638b43d45437@thread.v2";
const CHAT = "/chats/19%3A2da4c29f6d7041eca70b638b43d45437%40thread.v2/messages";
const chatMessage = { id: "1616990032035", body: { contentType: "text", content: "Done." } };

const teams = toExchanges(service("microsoft_teams", ""), {
	list_teams: {
		sends: "GET /me/joinedTeams",
		answer: { value: [{ id: team_id, displayName: "Shop" }] },
	},
	list_channels: {
		params: { team_id },
		sends: `GET /teams/${team_id}/channels`,
		answer: { value: [{ id: channel_id, displayName: "General" }] },
	},
	send_channel_message: {
		params: { team_id, channel_id, content: "<b>Done</b>", content_type: "html" },
		sends: `POST ${CHANNEL}`,
		json: { body: { contentType: "html", content: "<b>Done</b>" } },
		status: 201,
		answer: chatMessage,
	},
	reply_to_channel_message: {
		params: { team_id, channel_id, message_id: "1616990032035", content: "Done." },
		sends: `POST ${CHANNEL}/1616990032035/replies`,
		json: { body: { contentType: "text", content: "Done." } },
		status: 201,
		answer: chatMessage,
	},
	list_channel_messages: {
		params: { team_id, channel_id, limit: 10 },
		sends: `GET ${CHANNEL}?%24top=10`,
		answer: { value: [chatMessage] },
	},
	list_chats: {
		sends: "GET /me/chats?%24expand=members&%24top=50",
		answer: { value: [{ id: chat_id, topic: null, chatType: "oneOnOne", members: [] }] },
	},
	send_chat_message: {
		params: { chat_id, content: "Done." },
		sends: `POST ${CHAT}`,
		json: { body: { contentType: "text", content: "Done." } },
		status: 201,
		answer: chatMessage,
	},
	list_chat_messages: {
		params: { chat_id },
		sends: `GET ${CHAT}?%24top=50`,
		answer: { value: [chatMessage] },
	},
});

export const microsoft = [...mail, ...calendar, ...files, ...excel, ...teams];
