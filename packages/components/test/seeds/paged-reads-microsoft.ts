import type { JsonObject } from "@tripline/contract/workflows";
import { type PagedRead, readCursors, readOffsets } from "./paged-read.ts";

const GRAPH = "https://graph.microsoft.com/v1.0";
const TEAM = `${GRAPH}/teams/fbe2bf47`;
const MESSAGE =
	"%24select=id%2CconversationId%2Csubject%2Cfrom%2CtoRecipients%2CreceivedDateTime%2CisRead%2ChasAttachments%2CbodyPreview";
const TABLE = `${GRAPH}/me/drive/items/01BYE5RZ/workbook/tables/Orders`;

/** A page has the whole address of the next one, with the parameters of the first request. */
function readNextLinks(component: string, params: JsonObject, url: string): PagedRead {
	const next = `${url}${url.includes("?") ? "&" : "?"}%24skiptoken=`;
	return readCursors(
		component,
		params,
		[`${next}RFNwdAIAAQ`, `${next}RFNwdAIAAg`],
		(link) => link ?? url,
		(value, link) => ({
			"@odata.context": `${GRAPH}/$metadata#Collection(graph.entity)`,
			...(link && { "@odata.nextLink": link }),
			value,
		}),
	);
}

const readRows = (operation: string, size: number, select: string): PagedRead =>
	readOffsets(
		`excel.list_${operation}`,
		{ item_id: "01BYE5RZ", table: "Orders" },
		size,
		(offset) => `${TABLE}/${operation}?%24select=${select}&%24top=${size}&%24skip=${offset}`,
		(value) => ({ value }),
	);

export const pagedReadsOfMicrosoft: readonly PagedRead[] = [
	readRows("columns", 100, "name%2Cindex"),
	readRows("rows", 1000, "index%2Cvalues"),
	readNextLinks("microsoft_teams.list_teams", {}, `${GRAPH}/me/joinedTeams`),
	readNextLinks("microsoft_teams.list_channels", { team_id: "fbe2bf47" }, `${TEAM}/channels`),
	readNextLinks(
		"microsoft_teams.list_channel_messages",
		{ team_id: "fbe2bf47", channel_id: "19:abc@thread.tacv2", limit: 1 },
		`${TEAM}/channels/19%3Aabc%40thread.tacv2/messages?%24top=1`,
	),
	readNextLinks("microsoft_teams.list_chats", {}, `${GRAPH}/me/chats?%24expand=members&%24top=50`),
	readNextLinks(
		"microsoft_teams.list_chat_messages",
		{ chat_id: "19:abc@thread.v2", limit: 1 },
		`${GRAPH}/chats/19%3Aabc%40thread.v2/messages?%24top=1`,
	),
	readNextLinks("onedrive.list_items", { limit: 1 }, `${GRAPH}/me/drive/items/root/children?%24top=1`),
	readNextLinks(
		"onedrive.search_items",
		{ query: "tea", limit: 1 },
		`${GRAPH}/me/drive/root/search(q='tea')?%24top=1`,
	),
	readNextLinks(
		"outlook_calendar.list_events",
		{ from: "2026-01-31T00:00:00Z", until: "2026-02-07T00:00:00Z", time_zone: "Europe/Berlin", limit: 1 },
		`${GRAPH}/me/calendarView?startDateTime=2026-01-31T00%3A00%3A00Z&endDateTime=2026-02-07T00%3A00%3A00Z&%24orderby=start%2FdateTime&%24top=1`,
	),
	readNextLinks("outlook_calendar.list_calendars", {}, `${GRAPH}/me/calendars?%24top=100`),
	readNextLinks(
		"outlook_mail.list_messages",
		{ limit: 1 },
		`${GRAPH}/me/mailFolders/inbox/messages?${MESSAGE}&%24top=1`,
	),
	readNextLinks(
		"outlook_mail.list_attachments",
		{ message_id: "AAMk=" },
		`${GRAPH}/me/messages/AAMk%3D/attachments?%24select=id%2Cname%2CcontentType%2Csize%2CisInline`,
	),
	readNextLinks("outlook_mail.list_folders", { limit: 1 }, `${GRAPH}/me/mailFolders?%24top=1`),
];
