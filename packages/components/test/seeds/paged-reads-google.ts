import type { JsonObject } from "@tripline/contract/workflows";
import { type PagedRead, readCursors } from "./paged-read.ts";

const API = "https://www.googleapis.com";
const DRIVE = `${API}/drive/v3/files`;
const DRIVES = "supportsAllDrives=true&includeItemsFromAllDrives=true";
const FILE = "nextPageToken%2Cfiles%28id%2Cname%2CmimeType%2CmodifiedTime%2Csize%2CwebViewLink%2Cparents%29";
const PERMISSION = "nextPageToken%2Cpermissions%28id%2Ctype%2Crole%2CemailAddress%2Cdomain%2CdisplayName%29";
const PERSON =
	"names%2CemailAddresses%2CphoneNumbers%2Corganizations%2Caddresses%2Cbirthdays%2Cbiographies%2Cmetadata";
const TASKS = "https://tasks.googleapis.com/tasks/v1";
const KEY = "&key=test-google-key";

/** `nextPageToken` of a page is `pageToken` of the next. */
const readTokens = (
	component: string,
	params: JsonObject,
	url: string,
	items: string,
	after = "",
): PagedRead =>
	readCursors(
		component,
		params,
		["EiMKGg==", "CAoQAA"],
		(token) => `${url}${token === null ? "" : `&pageToken=${encodeURIComponent(token)}`}${after}`,
		(found, nextPageToken) => ({ [items]: found, ...(nextPageToken && { nextPageToken }) }),
	);

const GMAIL = "https://gmail.googleapis.com/gmail/v1/users/me/messages";

export const pagedReadsOfGoogle: readonly PagedRead[] = [
	readTokens(
		"gmail.search_messages",
		{ query: "is:unread", limit: 1 },
		`${GMAIL}?q=is%3Aunread&maxResults=1&includeSpamTrash=false`,
		"messages",
	),
	readTokens(
		"google_calendar.list_events",
		{ calendar_id: "team@example.com", limit: 1 },
		`${API}/calendar/v3/calendars/team%40example.com/events?maxResults=1&singleEvents=true&orderBy=startTime`,
		"items",
	),
	readTokens(
		"google_calendar.list_calendars",
		{ limit: 1 },
		`${API}/calendar/v3/users/me/calendarList?maxResults=1`,
		"items",
	),
	readTokens(
		"google_contacts.list_contacts",
		{ limit: 1 },
		`https://people.googleapis.com/v1/people/me/connections?personFields=${PERSON}&pageSize=1`,
		"connections",
	),
	readTokens(
		"google_drive.list_files",
		{ limit: 1 },
		`${DRIVE}?orderBy=modifiedTime%20desc&pageSize=1&fields=${FILE}&${DRIVES}`,
		"files",
	),
	readTokens(
		"google_drive.search_files",
		{ text: "tea", limit: 1 },
		`${DRIVE}?q=fullText%20contains%20%27tea%27%20and%20trashed%20%3D%20false&pageSize=1&fields=${FILE}&${DRIVES}`,
		"files",
	),
	readTokens(
		"google_drive.list_permissions",
		{ file_id: "1a2b3c" },
		`${DRIVE}/1a2b3c/permissions?pageSize=100&fields=${PERMISSION}&supportsAllDrives=true`,
		"permissions",
	),
	readTokens("google_tasks.list_task_lists", {}, `${TASKS}/users/@me/lists?maxResults=100`, "items"),
	readTokens(
		"google_tasks.list_tasks",
		{ list_id: "l1", show_completed: false, limit: 1 },
		`${TASKS}/lists/l1/tasks?showCompleted=false&showHidden=false&maxResults=1`,
		"items",
	),
	readTokens(
		"youtube.search",
		{ query: "tea", limit: 1 },
		`${API}/youtube/v3/search?part=snippet&q=tea&type=video&order=relevance&maxResults=1`,
		"items",
		KEY,
	),
	readTokens(
		"youtube.list_playlist_items",
		{ playlist_id: "UU123" },
		`${API}/youtube/v3/playlistItems?part=snippet%2CcontentDetails&playlistId=UU123&maxResults=50`,
		"items",
		KEY,
	),
	readTokens(
		"youtube.list_playlists",
		{ channel_id: "UC123" },
		`${API}/youtube/v3/playlists?part=snippet%2CcontentDetails&channelId=UC123&maxResults=50`,
		"items",
		KEY,
	),
	readTokens(
		"youtube.list_comments",
		{ video_id: "dQw4w9WgXcQ" },
		`${API}/youtube/v3/commentThreads?part=snippet%2Creplies&videoId=dQw4w9WgXcQ&order=time&textFormat=plainText&maxResults=100`,
		"items",
		KEY,
	),
	readTokens(
		"gemini.list_models",
		{},
		"https://generativelanguage.googleapis.com/v1beta/models?pageSize=50",
		"models",
	),
];
