import { toExchanges } from "../exchange.ts";
import { service } from "./google.ts";

const document_id = "1a2b3c";
const BATCH = "POST /1a2b3c:batchUpdate";
const updated = { documentId: document_id, replies: [{}], writeControl: { requiredRevisionId: "r1" } };

const docs = toExchanges(service("google_docs", "documents", "https://docs.googleapis.com/v1/documents"), {
	get_document: {
		params: { document_id, fields: "title,body.content" },
		sends: "GET /1a2b3c?fields=title%2Cbody.content",
		answer: { title: "Minutes", body: { content: [{ endIndex: 1, sectionBreak: {} }] } },
	},
	create_document: {
		params: { title: "Minutes" },
		sends: "POST ",
		json: { title: "Minutes" },
		answer: { documentId: document_id, title: "Minutes" },
	},
	append_text: {
		params: { document_id, text: "\nDecided." },
		sends: BATCH,
		json: { requests: [{ insertText: { endOfSegmentLocation: {}, text: "\nDecided." } }] },
		answer: updated,
	},
	insert_text: {
		params: { document_id, text: "Draft\n", index: 1 },
		sends: BATCH,
		json: { requests: [{ insertText: { location: { index: 1 }, text: "Draft\n" } }] },
		answer: updated,
	},
	replace_text: {
		params: { document_id, find: "[name]", replace: "Ada" },
		sends: BATCH,
		json: {
			requests: [
				{ replaceAllText: { containsText: { text: "[name]", matchCase: true }, replaceText: "Ada" } },
			],
		},
		answer: { documentId: document_id, replies: [{ replaceAllText: { occurrencesChanged: 2 } }] },
	},
	insert_image: {
		params: { document_id, url: "https://example.com/c.png" },
		sends: BATCH,
		json: {
			requests: [{ insertInlineImage: { endOfSegmentLocation: {}, uri: "https://example.com/c.png" } }],
		},
		answer: { documentId: document_id, replies: [{ insertInlineImage: { objectId: "kix.1" } }] },
	},
	update_document: {
		params: { document_id, requests: [{ deleteContentRange: { range: { startIndex: 1, endIndex: 5 } } }] },
		sends: BATCH,
		json: { requests: [{ deleteContentRange: { range: { startIndex: 1, endIndex: 5 } } }] },
		answer: updated,
	},
});

const task = { id: "abc", title: "Call Ada", status: "needsAction", due: "2026-01-31T00:00:00.000Z" };

const tasks = toExchanges(service("google_tasks", "tasks", "https://tasks.googleapis.com/tasks/v1"), {
	list_task_lists: {
		sends: "GET /users/@me/lists?maxResults=100",
		answer: { kind: "tasks#taskLists", items: [{ id: "l1", title: "My Tasks" }] },
	},
	list_tasks: {
		params: { list_id: "l1", show_completed: false, due_before: "2026-02-01T00:00:00Z" },
		sends:
			"GET /lists/l1/tasks?showCompleted=false&showHidden=false&dueMax=2026-02-01T00%3A00%3A00Z&maxResults=100",
		answer: { kind: "tasks#tasks", items: [task] },
	},
	create_task: {
		params: { title: "Call Ada", due: "2026-01-31T00:00:00Z" },
		sends: "POST /lists/%40default/tasks",
		json: { title: "Call Ada", due: "2026-01-31T00:00:00Z" },
		answer: task,
	},
	update_task: {
		params: { list_id: "l1", task_id: "abc", status: "completed" },
		sends: "PATCH /lists/l1/tasks/abc",
		json: { status: "completed" },
		answer: { ...task, status: "completed" },
	},
	delete_task: {
		params: { list_id: "l1", task_id: "abc" },
		sends: "DELETE /lists/l1/tasks/abc",
		status: 204,
		output: { deleted: true },
	},
});

const FIELDS =
	"names%2CemailAddresses%2CphoneNumbers%2Corganizations%2Caddresses%2Cbirthdays%2Cbiographies%2Cmetadata";
const person = {
	resourceName: "people/c123",
	etag: "%EgUB",
	names: [{ displayName: "Ada Lovelace", givenName: "Ada", familyName: "Lovelace" }],
	emailAddresses: [{ value: "ada@example.com", type: "work" }],
};
const names = [{ givenName: "Ada", familyName: "Lovelace" }];

const contacts = toExchanges(service("google_contacts", "contacts", "https://people.googleapis.com/v1"), {
	list_contacts: {
		params: { limit: 10, page_token: "p2" },
		sends: `GET /people/me/connections?personFields=${FIELDS}&pageSize=10&pageToken=p2`,
		answer: { connections: [person], totalPeople: 11, totalItems: 11 },
	},
	search_contacts: {
		params: { query: "Ada" },
		sends: `GET /people:searchContacts?query=Ada&readMask=${FIELDS}&pageSize=10`,
		answer: { results: [{ person }] },
	},
	get_contact: {
		params: { resource_name: "people/c123" },
		sends: `GET /people/c123?personFields=${FIELDS}`,
		answer: person,
	},
	create_contact: {
		params: { names, emails: [{ value: "ada@example.com", type: "work" }] },
		sends: `POST /people:createContact?personFields=${FIELDS}`,
		json: { names, emailAddresses: [{ value: "ada@example.com", type: "work" }] },
		answer: person,
	},
	update_contact: {
		params: {
			resource_name: "people/c123",
			etag: "%EgUB",
			fields: "phoneNumbers",
			phones: [{ value: "+1" }],
		},
		sends: `PATCH /people/c123:updateContact?updatePersonFields=phoneNumbers&personFields=${FIELDS}`,
		json: { etag: "%EgUB", phoneNumbers: [{ value: "+1" }] },
		answer: person,
	},
	delete_contact: {
		params: { resource_name: "people/c123" },
		sends: "DELETE /people/c123:deleteContact",
		answer: {},
		output: { deleted: true },
	},
});

export const googleAccount = [...docs, ...tasks, ...contacts];
