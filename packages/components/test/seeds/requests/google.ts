import { toExchanges } from "../exchange.ts";
import { ACCESS_TOKEN, googleFields } from "../google-account.ts";
import { PICTURE, picture } from "../test-files.ts";

export const service = (id: string, scope: string, base: string) => ({
	id,
	authRecipe: "google_service_account",
	fields: googleFields(`https://www.googleapis.com/auth/${scope}`),
	base,
	headers: { authorization: `Bearer ${ACCESS_TOKEN}` },
	authorization: "google_token" as const,
});

const spreadsheet_id = "1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms";
const written = { updatedRange: "Sheet1!A1:B1", updatedRows: 1, updatedColumns: 2, updatedCells: 2 };

const sheets = toExchanges(
	service("google_sheets", "spreadsheets", "https://sheets.googleapis.com/v4/spreadsheets"),
	{
		read_range: {
			params: { spreadsheet_id, range: "Class Data!A2:E", render: "UNFORMATTED_VALUE" },
			sends: `GET /${spreadsheet_id}/values/Class%20Data!A2%3AE?valueRenderOption=UNFORMATTED_VALUE`,
			answer: { range: "'Class Data'!A2:E101", majorDimension: "ROWS", values: [["Alexandra", 4]] },
		},
		append_rows: {
			params: { spreadsheet_id, range: "Sheet1!A1", values: [["Tea", 4.5]] },
			sends: `POST /${spreadsheet_id}/values/Sheet1!A1:append?valueInputOption=USER_ENTERED&insertDataOption=INSERT_ROWS`,
			json: { values: [["Tea", 4.5]] },
			answer: { spreadsheetId: spreadsheet_id, tableRange: "Sheet1!A1:B4", updates: written },
		},
		update_range: {
			params: {
				spreadsheet_id,
				range: "Sheet1!A1:B1",
				values: [["Total", "=SUM(B2:B9)"]],
				value_input: "RAW",
			},
			sends: `PUT /${spreadsheet_id}/values/Sheet1!A1%3AB1?valueInputOption=RAW`,
			json: { values: [["Total", "=SUM(B2:B9)"]] },
			answer: { spreadsheetId: spreadsheet_id, ...written },
		},
		clear_range: {
			params: { spreadsheet_id, range: "Sheet1!C:C" },
			sends: `POST /${spreadsheet_id}/values/Sheet1!C%3AC:clear`,
			json: {},
			answer: { spreadsheetId: spreadsheet_id, clearedRange: "Sheet1!C1:C1000" },
		},
		get_spreadsheet: {
			params: { spreadsheet_id },
			sends: `GET /${spreadsheet_id}?includeGridData=false`,
			answer: {
				spreadsheetId: spreadsheet_id,
				properties: { title: "Class" },
				sheets: [{ properties: { sheetId: 0, title: "Sheet1" } }],
				spreadsheetUrl: "https://docs.google.com/spreadsheets/d/1BxiMVs0/edit",
			},
		},
		create_spreadsheet: {
			params: { title: "Orders" },
			sends: "POST ",
			json: { properties: { title: "Orders" } },
			answer: { spreadsheetId: "1new", spreadsheetUrl: "https://docs.google.com/spreadsheets/d/1new/edit" },
		},
	},
);

const event = {
	kind: "calendar#event",
	id: "abc123",
	status: "confirmed",
	htmlLink: "https://www.google.com/calendar/event?eid=abc",
	summary: "Planning",
	start: { dateTime: "2026-01-31T09:00:00+01:00" },
	end: { dateTime: "2026-01-31T10:00:00+01:00" },
};
const calendar_id = "team@example.com";
const times = {
	start: { dateTime: "2026-01-31T09:00:00+01:00" },
	end: { dateTime: "2026-01-31T10:00:00+01:00" },
};

const calendar = toExchanges(
	service("google_calendar", "calendar", "https://www.googleapis.com/calendar/v3"),
	{
		list_events: {
			params: { calendar_id, from: "2026-01-31T00:00:00Z", query: "planning" },
			sends:
				"GET /calendars/team%40example.com/events?timeMin=2026-01-31T00%3A00%3A00Z&q=planning&maxResults=250&singleEvents=true&orderBy=startTime",
			answer: { kind: "calendar#events", items: [event] },
		},
		get_event: {
			params: { calendar_id, event_id: "abc123" },
			sends: "GET /calendars/team%40example.com/events/abc123",
			answer: event,
		},
		quick_add: {
			params: { calendar_id: "primary", text: "Lunch tomorrow 12:30" },
			sends: "POST /calendars/primary/events/quickAdd?text=Lunch%20tomorrow%2012%3A30&sendUpdates=none",
			answer: event,
		},
		list_calendars: {
			params: { page_token: "p2" },
			sends: "GET /users/me/calendarList?maxResults=100&pageToken=p2",
			answer: {
				kind: "calendar#calendarList",
				items: [{ id: "team@example.com", summary: "Team", timeZone: "Europe/Berlin", accessRole: "owner" }],
			},
		},
		create_event: {
			params: { calendar_id, summary: "Planning", ...times, attendees: [{ email: "ada@example.com" }] },
			sends: "POST /calendars/team%40example.com/events?sendUpdates=none",
			json: { summary: "Planning", ...times, attendees: [{ email: "ada@example.com" }] },
			answer: event,
		},
		update_event: {
			params: { calendar_id, event_id: "abc123", location: "Room 2", send_updates: "all" },
			sends: "PATCH /calendars/team%40example.com/events/abc123?sendUpdates=all",
			json: { location: "Room 2" },
			answer: { ...event, location: "Room 2" },
		},
		delete_event: {
			params: { calendar_id, event_id: "abc123" },
			sends: "DELETE /calendars/team%40example.com/events/abc123?sendUpdates=none",
			status: 204,
			output: { deleted: true },
		},
		find_busy_times: {
			params: {
				from: "2026-01-31T00:00:00Z",
				until: "2026-02-01T00:00:00Z",
				calendars: [{ id: "team@example.com" }],
			},
			sends: "POST /freeBusy",
			json: {
				timeMin: "2026-01-31T00:00:00Z",
				timeMax: "2026-02-01T00:00:00Z",
				items: [{ id: "team@example.com" }],
			},
			answer: {
				kind: "calendar#freeBusy",
				calendars: {
					"team@example.com": { busy: [{ start: "2026-01-31T08:00:00Z", end: "2026-01-31T09:00:00Z" }] },
				},
			},
		},
	},
);

const file = {
	id: "1a2b3c",
	name: "report.txt",
	mimeType: "text/plain",
	webViewLink: "https://drive.google.com/x",
};
const FIELDS = "id%2Cname%2CmimeType%2CmodifiedTime%2Csize%2CwebViewLink%2Cparents";

const drive = toExchanges(service("google_drive", "drive", "https://www.googleapis.com"), {
	list_files: {
		params: { query: "name contains 'report'", limit: 10 },
		sends: `GET /drive/v3/files?q=name%20contains%20%27report%27&orderBy=modifiedTime%20desc&pageSize=10&fields=nextPageToken%2Cfiles%28${FIELDS}%29&supportsAllDrives=true&includeItemsFromAllDrives=true`,
		answer: { files: [file] },
	},
	get_file: {
		params: { file_id: "1a2b3c" },
		sends: `GET /drive/v3/files/1a2b3c?fields=${FIELDS}&supportsAllDrives=true`,
		answer: file,
	},
	read_text: {
		params: { file_id: "1a2b3c" },
		sends: "GET /drive/v3/files/1a2b3c?alt=media&supportsAllDrives=true",
		answerText: "Grüße\n",
	},
	export_text: {
		params: { file_id: "1a2b3c", mime_type: "text/markdown" },
		sends: "GET /drive/v3/files/1a2b3c/export?mimeType=text%2Fmarkdown",
		answerText: "# Hello",
	},
	download_file: {
		params: { file_id: "1a2b3c", name: "report.pdf" },
		sends: "GET /drive/v3/files/1a2b3c?alt=media&supportsAllDrives=true",
		answerHeaders: { "content-type": "application/pdf" },
		answerBytes: PICTURE,
		outputFile: { name: "report.pdf", type: "application/pdf" },
	},
	export_file: {
		params: { file_id: "1a2b3c", name: "report.pdf" },
		sends: "GET /drive/v3/files/1a2b3c/export?mimeType=application%2Fpdf",
		answerHeaders: { "content-type": "application/pdf" },
		answerBytes: PICTURE,
		outputFile: { name: "report.pdf", type: "application/pdf" },
	},
	upload_file: {
		params: { file: picture, parents: ["0x"] },
		sends: `POST /upload/drive/v3/files?uploadType=multipart&fields=${FIELDS}&supportsAllDrives=true`,
		headers: { "content-type": "multipart/related" },
		parts: [
			{
				name: "metadata",
				type: "application/json; charset=UTF-8",
				content: '{"name":"chart ü.png","parents":["0x"]}',
			},
			{ name: "file", filename: "chart ü.png", type: "image/png", content: PICTURE },
		],
		answer: file,
	},
	replace_file: {
		params: { file_id: "1a2b3c", file: picture },
		sends: `PATCH /upload/drive/v3/files/1a2b3c?uploadType=media&fields=${FIELDS}&supportsAllDrives=true`,
		headers: { "content-type": "image/png" },
		bytes: PICTURE,
		answer: file,
	},
	create_folder: {
		params: { name: "Invoices", parents: ["0folder"] },
		sends: `POST /drive/v3/files?fields=${FIELDS}&supportsAllDrives=true`,
		json: { name: "Invoices", mimeType: "application/vnd.google-apps.folder", parents: ["0folder"] },
		answer: { ...file, name: "Invoices" },
	},
	search_files: {
		params: { text: "O'Brien \\ Sons", limit: 10 },
		sends: `GET /drive/v3/files?q=fullText%20contains%20%27O%5C%27Brien%20%5C%5C%20Sons%27%20and%20trashed%20%3D%20false&pageSize=10&fields=nextPageToken%2Cfiles%28${FIELDS}%29&supportsAllDrives=true&includeItemsFromAllDrives=true`,
		answer: { files: [file] },
	},
	copy_file: {
		params: { file_id: "1a2b3c", name: "Copy" },
		sends: `POST /drive/v3/files/1a2b3c/copy?fields=${FIELDS}&supportsAllDrives=true`,
		json: { name: "Copy" },
		answer: { ...file, name: "Copy" },
	},
	move_file: {
		params: { file_id: "1a2b3c", to: "0archive", from: "0inbox" },
		sends: `PATCH /drive/v3/files/1a2b3c?addParents=0archive&removeParents=0inbox&fields=${FIELDS}&supportsAllDrives=true`,
		json: {},
		answer: { ...file, parents: ["0archive"] },
	},
	update_file: {
		params: { file_id: "1a2b3c", trashed: true },
		sends: `PATCH /drive/v3/files/1a2b3c?fields=${FIELDS}&supportsAllDrives=true`,
		json: { trashed: true },
		answer: file,
	},
	delete_file: {
		params: { file_id: "1a2b3c" },
		sends: "DELETE /drive/v3/files/1a2b3c?supportsAllDrives=true",
		status: 204,
		output: { deleted: true },
	},
	share_file: {
		params: { file_id: "1a2b3c", role: "writer", email: "ada@example.com", notify: false },
		sends: "POST /drive/v3/files/1a2b3c/permissions?sendNotificationEmail=false&supportsAllDrives=true",
		json: { role: "writer", type: "user", emailAddress: "ada@example.com" },
		answer: { kind: "drive#permission", id: "0123", type: "user", role: "writer" },
	},
	list_permissions: {
		params: { file_id: "1a2b3c" },
		sends:
			"GET /drive/v3/files/1a2b3c/permissions?pageSize=100&fields=nextPageToken%2Cpermissions%28id%2Ctype%2Crole%2CemailAddress%2Cdomain%2CdisplayName%29&supportsAllDrives=true",
		answer: { permissions: [{ id: "0123", type: "user", role: "writer", emailAddress: "ada@example.com" }] },
	},
	unshare_file: {
		params: { file_id: "1a2b3c", permission_id: "0123" },
		sends: "DELETE /drive/v3/files/1a2b3c/permissions/0123?supportsAllDrives=true",
		status: 204,
		output: { deleted: true },
	},
});

export const google = [...sheets, ...calendar, ...drive];
