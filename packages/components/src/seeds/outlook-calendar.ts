import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, flag, integer, list, text } from "../schema-words.ts";
import { followNextLinks } from "./paging.ts";
import { answer, done, object, params } from "./schema.ts";

const event_id = text("The event's id");
const time_zone = text("Time zone of times in the result, such as Europe/Berlin or UTC", { default: "UTC" });
const headers = { prefer: 'outlook.timezone="{{params.time_zone}}"' };
const when = (what: string) =>
	object(`${what}: { dateTime, timeZone }`, {
		dateTime: text("Such as 2026-01-31T09:00:00, without offset"),
		timeZone: text("Such as Europe/Berlin or UTC"),
	});
const details = {
	body: object("Its text: { contentType: text or html, content }", {
		contentType: text("text or html"),
		content: text("The text"),
	}),
	location: text("Where it is"),
	attendees: list(
		object("A guest: { emailAddress: { address, name }, type }", {
			emailAddress: object("Address and name", { address: text("E-mail address") }),
			type: text("required, optional or resource"),
		}),
		"Guests; they are invited",
	),
	is_all_day: flag("Whether it lasts whole days; both times are then at midnight"),
	online_meeting: flag("Whether it is a Teams meeting"),
	reminder_minutes: integer("When it is announced before its start", { minimum: 0 }),
};
const sent = {
	subject: "{{params.subject}}",
	start: "{{params.start}}",
	end: "{{params.end}}",
	body: "{{params.body}}",
	location: { displayName: "{{params.location}}" },
	attendees: "{{params.attendees}}",
	isAllDay: "{{params.is_all_day}}",
	isOnlineMeeting: "{{params.online_meeting}}",
	reminderMinutesBeforeStart: "{{params.reminder_minutes}}",
};
const event = answer({
	id: text("Its id"),
	subject: text("Its title"),
	start: when("When it starts"),
	end: when("When it ends"),
	location: object("Where it is", { displayName: text("The place") }),
	webLink: text("URL of its page"),
	isCancelled: flag("Whether it was cancelled"),
});

export const outlookCalendar: ApiRecipe = {
	id: "outlook_calendar",
	category: "calendar",
	title: "Outlook calendar",
	description: "Events of a Microsoft account. The permission is Calendars.ReadWrite.",
	auth: ["microsoft_oauth", "microsoft_token"],
	base_url: "https://graph.microsoft.com/v1.0/me",
	docs_url: "https://learn.microsoft.com/graph/api/resources/calendar",
	operations: {
		list_events: {
			title: "List events",
			description: "Ordered by start time; recurring events are expanded into single events.",
			method: "GET",
			path: "/calendarView",
			params: params(
				{
					from: text("Start, such as 2026-01-31T00:00:00Z"),
					until: text("End, such as 2026-02-07T00:00:00Z"),
				},
				{
					filter: text("OData filter, such as isCancelled eq false"),
					limit: integer("Maximum number of results", { minimum: 1, maximum: 1000, default: 100 }),
					skip: integer("How many to leave out, for the next page", { minimum: 0 }),
					time_zone,
				},
			),
			query: {
				startDateTime: "{{params.from}}",
				endDateTime: "{{params.until}}",
				$filter: "{{params.filter}}",
				$orderby: "start/dateTime",
				$top: "{{params.limit}}",
				$skip: "{{params.skip}}",
			},
			headers,
			paginate: followNextLinks,
			output: {
				schema: answer({
					value: list(event, "The events"),
					"@odata.nextLink": text("URL of the next page, if there is one"),
				}),
			},
			examples: [
				{ title: "One week", params: { from: "2026-01-31T00:00:00Z", until: "2026-02-07T00:00:00Z" } },
			],
		},
		get_event: {
			title: "Get an event",
			method: "GET",
			path: "/events/{event_id}",
			params: params({ event_id }, { time_zone }),
			headers,
			output: { schema: event },
			examples: [{ title: "One", params: { event_id: "AAMkAGI2" } }],
		},
		create_event: {
			title: "Create an event",
			method: "POST",
			path: "/events",
			params: params(
				{ subject: text("Its title"), start: when("When it starts"), end: when("When it ends") },
				{ ...details, recurrence: object("Recurrence: { pattern, range }") },
			),
			body: { kind: "json", value: { ...sent, recurrence: "{{params.recurrence}}" } },
			output: { schema: event },
			examples: [
				{
					title: "A meeting",
					params: {
						subject: "Planning",
						start: { dateTime: "2026-01-31T09:00:00", timeZone: "Europe/Berlin" },
						end: { dateTime: "2026-01-31T10:00:00", timeZone: "Europe/Berlin" },
						attendees: [{ emailAddress: { address: "ada@example.com" }, type: "required" }],
					},
				},
			],
		},
		update_event: {
			title: "Update an event",
			description: "Changes only the given fields.",
			method: "PATCH",
			path: "/events/{event_id}",
			params: params(
				{ event_id },
				{
					subject: text("A new title"),
					start: when("When it starts"),
					end: when("When it ends"),
					...details,
				},
			),
			body: { kind: "json", value: sent },
			output: { schema: event },
			examples: [{ title: "Another room", params: { event_id: "AAMkAGI2", location: "Room 2" } }],
		},
		delete_event: {
			title: "Delete an event",
			description: "Guests are told that it is cancelled.",
			method: "DELETE",
			path: "/events/{event_id}",
			params: params({ event_id }),
			response: "text",
			output: done("deleted", "Always true"),
			examples: [{ title: "One", params: { event_id: "AAMkAGI2" } }],
		},
		respond_to_event: {
			title: "Accept or decline an invitation",
			method: "POST",
			path: "/events/{event_id}/{response}",
			params: params(
				{ event_id, response: choice(["accept", "tentativelyAccept", "decline"], "The response") },
				{
					comment: text("A text to the organizer"),
					send_response: flag("Whether the organizer is told", { default: true }),
				},
			),
			body: {
				kind: "json",
				value: { comment: "{{params.comment}}", sendResponse: "{{params.send_response}}" },
			},
			response: "text",
			output: done("responded", "Always true"),
			examples: [{ title: "Accept", params: { event_id: "AAMkAGI2", response: "accept" } }],
		},
		find_busy_times: {
			title: "Get busy times of people and rooms",
			description: "Only with work and school accounts.",
			method: "POST",
			path: "/calendar/getSchedule",
			params: params(
				{
					people: list(text("An e-mail address"), "Whose calendars", { maxItems: 20 }),
					start: when("Start"),
					end: when("End"),
				},
				{ interval_minutes: integer("Length of a slot", { minimum: 5, maximum: 1440, default: 30 }) },
			),
			body: {
				kind: "json",
				value: {
					schedules: "{{params.people}}",
					startTime: "{{params.start}}",
					endTime: "{{params.end}}",
					availabilityViewInterval: "{{params.interval_minutes}}",
				},
			},
			output: {
				schema: answer({
					value: list(
						object("A calendar", {
							scheduleId: text("The e-mail address"),
							availabilityView: text("A digit for each slot: 0 free, 1 tentative, 2 busy, 3 out of office"),
							scheduleItems: list(object("A busy time: { status, start, end }"), "Busy times"),
						}),
						"One for each address",
					),
				}),
			},
			examples: [
				{
					title: "One day",
					params: {
						people: ["ada@example.com"],
						start: { dateTime: "2026-01-31T08:00:00", timeZone: "UTC" },
						end: { dateTime: "2026-01-31T18:00:00", timeZone: "UTC" },
					},
				},
			],
		},
		list_calendars: {
			title: "List calendars",
			method: "GET",
			path: "/calendars",
			params: params({}),
			query: { $top: 100 },
			paginate: followNextLinks,
			output: {
				schema: answer({
					value: list(
						object("A calendar", {
							id: text("Its id"),
							name: text("Its name"),
							isDefaultCalendar: flag("Whether it is the account's own"),
							canEdit: flag("Whether events can be changed"),
						}),
						"The calendars",
					),
				}),
			},
			examples: [{ title: "All", params: {} }],
		},
	},
};
