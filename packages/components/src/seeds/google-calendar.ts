import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, flag, integer, list, text } from "../schema-words.ts";
import { readTokens } from "./paging.ts";
import { answer, done, object, params } from "./schema.ts";

const calendar_id = text("The calendar's id: an e-mail address, or primary for the account's own calendar");
const event_id = text("The event's id");
const when = (what: string) =>
	object(`When it ${what}: { dateTime } with offset or timeZone, or { date } for a whole day`, {
		dateTime: text("ISO 8601, such as 2026-01-31T09:00:00+01:00"),
		date: text("A day, such as 2026-01-31"),
		timeZone: text("Such as Europe/Berlin"),
	});
const details = {
	description: text("Its text"),
	location: text("Where it is"),
	attendees: list(object("A guest", { email: text("E-mail address") }), "Guests"),
};
const send_updates = choice(["all", "externalOnly", "none"], "Which guests are notified", {
	default: "none",
});
const event = answer({
	id: text("The event's id"),
	status: text("confirmed, tentative or cancelled"),
	htmlLink: text("URL of its page"),
	summary: text("Its title"),
	start: when("starts"),
	end: when("ends"),
});

export const googleCalendar: ApiRecipe = {
	id: "google_calendar",
	category: "calendar",
	title: "Google Calendar",
	description:
		"Events of calendars. The scope is https://www.googleapis.com/auth/calendar. A service account sees calendars that are shared with its address; to invite guests it needs domain-wide delegation and a subject.",
	auth: ["google_oauth", "google_service_account"],
	base_url: "https://www.googleapis.com/calendar/v3",
	docs_url: "https://developers.google.com/workspace/calendar/api/v3/reference",
	operations: {
		list_events: {
			title: "List events",
			description: "Ordered by start time; recurring events are expanded into single events.",
			method: "GET",
			path: "/calendars/{calendar_id}/events",
			params: params(
				{ calendar_id },
				{
					from: text("Only events that end after this time, ISO 8601 with offset"),
					until: text("Only events that start before this time, ISO 8601 with offset"),
					query: text("Search words"),
					limit: integer("Maximum number of results", { minimum: 1, maximum: 2500, default: 250 }),
					page_token: text("nextPageToken of the previous page"),
				},
			),
			query: {
				timeMin: "{{params.from}}",
				timeMax: "{{params.until}}",
				q: "{{params.query}}",
				maxResults: "{{params.limit}}",
				pageToken: "{{params.page_token}}",
				singleEvents: true,
				orderBy: "startTime",
			},
			paginate: readTokens("items"),
			output: {
				schema: answer({
					items: list(event, "The events"),
					nextPageToken: text("page_token for the next page"),
				}),
			},
			examples: [
				{
					title: "One day",
					params: {
						calendar_id: "team@example.com",
						from: "2026-01-31T00:00:00Z",
						until: "2026-02-01T00:00:00Z",
					},
				},
			],
		},
		get_event: {
			title: "Get an event",
			method: "GET",
			path: "/calendars/{calendar_id}/events/{event_id}",
			params: params({ calendar_id, event_id }),
			output: { schema: event },
			examples: [{ title: "One", params: { calendar_id: "primary", event_id: "abc123" } }],
		},
		quick_add: {
			title: "Create an event from a sentence",
			method: "POST",
			path: "/calendars/{calendar_id}/events/quickAdd",
			params: params(
				{ calendar_id, text: text("Such as Lunch with Ada tomorrow 12:30-13:30", { minLength: 1 }) },
				{ send_updates },
			),
			query: { text: "{{params.text}}", sendUpdates: "{{params.send_updates}}" },
			output: { schema: event },
			examples: [
				{ title: "A lunch", params: { calendar_id: "primary", text: "Lunch with Ada tomorrow 12:30-13:30" } },
			],
		},
		list_calendars: {
			title: "List calendars",
			description: "Those in the account's list.",
			method: "GET",
			path: "/users/me/calendarList",
			params: params(
				{},
				{
					limit: integer("Maximum number of results", { minimum: 1, maximum: 250, default: 100 }),
					page_token: text("nextPageToken of the previous page"),
				},
			),
			query: { maxResults: "{{params.limit}}", pageToken: "{{params.page_token}}" },
			paginate: readTokens("items"),
			output: {
				schema: answer({
					items: list(
						object("A calendar", {
							id: text("Its id, for calendar_id"),
							summary: text("Its name"),
							timeZone: text("Its time zone"),
							accessRole: text("owner, writer, reader or freeBusyReader"),
							primary: flag("Whether it is the account's own"),
						}),
						"The calendars",
					),
					nextPageToken: text("page_token for the next page"),
				}),
			},
			examples: [{ title: "All", params: {} }],
		},
		create_event: {
			title: "Create an event",
			method: "POST",
			path: "/calendars/{calendar_id}/events",
			params: params(
				{ calendar_id, summary: text("Its title"), start: when("starts"), end: when("ends") },
				{ ...details, recurrence: list(text("Such as RRULE:FREQ=WEEKLY"), "Recurrence rules"), send_updates },
			),
			query: { sendUpdates: "{{params.send_updates}}" },
			body: {
				kind: "json",
				value: {
					summary: "{{params.summary}}",
					start: "{{params.start}}",
					end: "{{params.end}}",
					description: "{{params.description}}",
					location: "{{params.location}}",
					attendees: "{{params.attendees}}",
					recurrence: "{{params.recurrence}}",
				},
			},
			output: { schema: event },
			examples: [
				{
					title: "A meeting",
					params: {
						calendar_id: "team@example.com",
						summary: "Planning",
						start: { dateTime: "2026-01-31T09:00:00+01:00" },
						end: { dateTime: "2026-01-31T10:00:00+01:00" },
					},
				},
			],
		},
		update_event: {
			title: "Update an event",
			description: "Changes only the given fields.",
			method: "PATCH",
			path: "/calendars/{calendar_id}/events/{event_id}",
			params: params(
				{ calendar_id, event_id },
				{
					summary: text("A new title"),
					start: when("starts"),
					end: when("ends"),
					...details,
					send_updates,
				},
			),
			query: { sendUpdates: "{{params.send_updates}}" },
			body: {
				kind: "json",
				value: {
					summary: "{{params.summary}}",
					start: "{{params.start}}",
					end: "{{params.end}}",
					description: "{{params.description}}",
					location: "{{params.location}}",
					attendees: "{{params.attendees}}",
				},
			},
			output: { schema: event },
			examples: [
				{
					title: "Another room",
					params: { calendar_id: "team@example.com", event_id: "abc123", location: "Room 2" },
				},
			],
		},
		delete_event: {
			title: "Delete an event",
			method: "DELETE",
			path: "/calendars/{calendar_id}/events/{event_id}",
			params: params({ calendar_id, event_id }, { send_updates }),
			query: { sendUpdates: "{{params.send_updates}}" },
			response: "text",
			output: done("deleted", "Always true"),
			examples: [{ title: "One", params: { calendar_id: "team@example.com", event_id: "abc123" } }],
		},
		find_busy_times: {
			title: "Get busy times of calendars",
			method: "POST",
			path: "/freeBusy",
			params: params({
				from: text("Start, ISO 8601 with offset"),
				until: text("End, ISO 8601 with offset"),
				calendars: list(object("A calendar", { id: text("Its id") }), "The calendars, as { id }"),
			}),
			body: {
				kind: "json",
				value: { timeMin: "{{params.from}}", timeMax: "{{params.until}}", items: "{{params.calendars}}" },
			},
			output: {
				schema: answer({ calendars: object("By calendar id: busy, a list of start and end times") }),
			},
			examples: [
				{
					title: "One day",
					params: {
						from: "2026-01-31T00:00:00Z",
						until: "2026-02-01T00:00:00Z",
						calendars: [{ id: "team@example.com" }],
					},
				},
			],
		},
	},
};
