import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, file, flag, integer, list, text } from "../schema-words.ts";
import { readTokens } from "./paging.ts";
import { answer, done, exampleFile, object, params } from "./schema.ts";

const file_id = text("The file's id: the long part of its URL");
const fields = "id,name,mimeType,modifiedTime,size,webViewLink,parents";
const metadata = answer({
	id: text("Its id"),
	name: text("Its name"),
	mimeType: text("Its type, such as application/vnd.google-apps.document"),
	modifiedTime: text("Time of the last change"),
	webViewLink: text("URL of its page"),
});

export const googleDrive: ApiRecipe = {
	id: "google_drive",
	category: "files",
	title: "Google Drive",
	description:
		"Files and folders. The scope is https://www.googleapis.com/auth/drive, or drive.readonly. A service account sees what is shared with its address.",
	auth: ["google_oauth", "google_service_account"],
	base_url: "https://www.googleapis.com",
	docs_url: "https://developers.google.com/workspace/drive/api/reference/rest/v3",
	operations: {
		list_files: {
			title: "List files",
			method: "GET",
			path: "/drive/v3/files",
			params: params(
				{},
				{
					query: text("Drive search query, such as name contains 'report' and trashed = false"),
					order_by: text("Such as modifiedTime desc", { default: "modifiedTime desc" }),
					limit: integer("Maximum number of results", { minimum: 1, maximum: 1000, default: 100 }),
					page_token: text("nextPageToken of the previous page"),
				},
			),
			query: {
				q: "{{params.query}}",
				orderBy: "{{params.order_by}}",
				pageSize: "{{params.limit}}",
				pageToken: "{{params.page_token}}",
				fields: `nextPageToken,files(${fields})`,
				supportsAllDrives: true,
				includeItemsFromAllDrives: true,
			},
			paginate: readTokens("files"),
			output: {
				schema: answer({
					files: list(metadata, "The files"),
					nextPageToken: text("page_token for the next page"),
				}),
			},
			examples: [{ title: "Reports", params: { query: "name contains 'report' and trashed = false" } }],
		},
		get_file: {
			title: "Get a file's metadata",
			method: "GET",
			path: "/drive/v3/files/{file_id}",
			params: params({ file_id }),
			query: { fields, supportsAllDrives: true },
			output: { schema: metadata },
			examples: [{ title: "One file", params: { file_id: "1a2b3c" } }],
		},
		read_text: {
			title: "Read a text file",
			description: "For text files; for Google documents use export_text.",
			method: "GET",
			path: "/drive/v3/files/{file_id}",
			params: params({ file_id }),
			query: { alt: "media", supportsAllDrives: true },
			response: "text",
			output: { schema: text("The file's text") },
			examples: [{ title: "One file", params: { file_id: "1a2b3c" } }],
		},
		export_text: {
			title: "Read a Google document as text",
			description: "For documents, sheets (text/csv) and slides; at most 10 MB.",
			method: "GET",
			path: "/drive/v3/files/{file_id}/export",
			params: params(
				{ file_id },
				{ mime_type: text("text/plain, text/markdown, text/csv or text/html", { default: "text/plain" }) },
			),
			query: { mimeType: "{{params.mime_type}}" },
			response: "text",
			output: { schema: text("The document's text") },
			examples: [{ title: "As Markdown", params: { file_id: "1a2b3c", mime_type: "text/markdown" } }],
		},
		download_file: {
			title: "Download a file",
			description: "For Google documents use export_file.",
			method: "GET",
			path: "/drive/v3/files/{file_id}",
			params: params(
				{ file_id },
				{ name: text("Name of the file, such as name of get_file; default its id") },
			),
			query: { alt: "media", supportsAllDrives: true },
			response: "file",
			filename: "{{params.name}}",
			output: { schema: file("The file") },
			examples: [{ title: "One file", params: { file_id: "1a2b3c", name: "report.pdf" } }],
		},
		export_file: {
			title: "Download a Google document as a file",
			description: "For documents, sheets and slides; at most 10 MB.",
			method: "GET",
			path: "/drive/v3/files/{file_id}/export",
			params: params(
				{ file_id, name: text("Name of the file, such as report.pdf") },
				{
					mime_type: text(
						"Its format, such as application/pdf, text/csv or application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
						{ default: "application/pdf" },
					),
				},
			),
			query: { mimeType: "{{params.mime_type}}" },
			response: "file",
			filename: "{{params.name}}",
			output: { schema: file("The file") },
			examples: [{ title: "As PDF", params: { file_id: "1a2b3c", name: "report.pdf" } }],
		},
		upload_file: {
			title: "Upload a file",
			description: "Creates a new file, at most 5 MB. A service account needs a shared drive or folder.",
			method: "POST",
			path: "/upload/drive/v3/files",
			params: params(
				{ file: file("The file") },
				{
					name: text("Its name in Drive; default its own"),
					parents: list(text("A folder's id"), "The parent folder", { maxItems: 1 }),
				},
			),
			query: { uploadType: "multipart", fields, supportsAllDrives: true },
			headers: { "content-type": "multipart/related" },
			body: {
				kind: "multipart",
				parts: [
					{
						name: "metadata",
						json: { name: "{{params.name | default(params.file.name)}}", parents: "{{params.parents}}" },
						content_type: "application/json; charset=UTF-8",
					},
					{ name: "file", file: "{{params.file}}" },
				],
			},
			output: { schema: metadata },
			examples: [
				{
					title: "In a shared folder",
					params: { file: exampleFile("report.pdf", "application/pdf"), parents: ["1a2b3c"] },
				},
			],
		},
		replace_file: {
			title: "Replace a file's content",
			method: "PATCH",
			path: "/upload/drive/v3/files/{file_id}",
			params: params({ file_id, file: file("The new content") }),
			query: { uploadType: "media", fields, supportsAllDrives: true },
			body: { kind: "file", file: "{{params.file}}" },
			output: { schema: metadata },
			examples: [
				{
					title: "A new version",
					params: { file_id: "1a2b3c", file: exampleFile("report.pdf", "application/pdf") },
				},
			],
		},
		create_folder: {
			title: "Create a folder",
			method: "POST",
			path: "/drive/v3/files",
			params: params(
				{ name: text("Its name") },
				{ parents: list(text("A folder's id"), "The parent folder", { maxItems: 1 }) },
			),
			query: { fields, supportsAllDrives: true },
			body: {
				kind: "json",
				value: {
					name: "{{params.name}}",
					mimeType: "application/vnd.google-apps.folder",
					parents: "{{params.parents}}",
				},
			},
			output: { schema: metadata },
			examples: [{ title: "In a shared folder", params: { name: "Invoices", parents: ["1a2b3c"] } }],
		},
		search_files: {
			title: "Search files by their text",
			description: "In their names and contents, but not in the trash; for other searches use list_files.",
			method: "GET",
			path: "/drive/v3/files",
			params: params(
				{ text: text("Words or the start of words", { minLength: 1 }) },
				{
					limit: integer("Maximum number of results", { minimum: 1, maximum: 1000, default: 100 }),
					page_token: text("nextPageToken of the previous page"),
				},
			),
			query: {
				q: String.raw`fullText contains '{{params.text | replace("\\", "\\\\") | replace("'", "\\'")}}' and trashed = false`,
				pageSize: "{{params.limit}}",
				pageToken: "{{params.page_token}}",
				fields: `nextPageToken,files(${fields})`,
				supportsAllDrives: true,
				includeItemsFromAllDrives: true,
			},
			paginate: readTokens("files"),
			output: {
				schema: answer({
					files: list(metadata, "The files"),
					nextPageToken: text("page_token for the next page"),
				}),
			},
			examples: [{ title: "A customer", params: { text: "O'Brien" } }],
		},
		copy_file: {
			title: "Copy a file",
			description: "For instance a document that is a template.",
			method: "POST",
			path: "/drive/v3/files/{file_id}/copy",
			params: params(
				{ file_id },
				{
					name: text("The copy's name"),
					parents: list(text("A folder's id"), "The copy's folder; default the same", { maxItems: 1 }),
				},
			),
			query: { fields, supportsAllDrives: true },
			body: { kind: "json", value: { name: "{{params.name}}", parents: "{{params.parents}}" } },
			output: { schema: metadata },
			examples: [{ title: "A contract", params: { file_id: "1a2b3c", name: "Contract with Ada" } }],
		},
		move_file: {
			title: "Move a file to another folder",
			method: "PATCH",
			path: "/drive/v3/files/{file_id}",
			params: params({
				file_id,
				to: text("The new folder's id"),
				from: text("The present folder's id: parents[0] of get_file"),
			}),
			query: {
				addParents: "{{params.to}}",
				removeParents: "{{params.from}}",
				fields,
				supportsAllDrives: true,
			},
			body: { kind: "json", value: {} },
			output: { schema: metadata },
			examples: [{ title: "To the archive", params: { file_id: "1a2b3c", to: "0archive", from: "0inbox" } }],
		},
		update_file: {
			title: "Rename, describe or trash a file",
			method: "PATCH",
			path: "/drive/v3/files/{file_id}",
			params: params(
				{ file_id },
				{
					name: text("A new name"),
					description: text("A new description"),
					trashed: flag("true moves it to the trash, false back"),
				},
			),
			query: { fields, supportsAllDrives: true },
			body: {
				kind: "json",
				value: {
					name: "{{params.name}}",
					description: "{{params.description}}",
					trashed: "{{params.trashed}}",
				},
			},
			output: { schema: metadata },
			examples: [{ title: "To the trash", params: { file_id: "1a2b3c", trashed: true } }],
		},
		delete_file: {
			title: "Delete a file for good",
			description: "A folder with all that is in it. To move it to the trash use update_file.",
			method: "DELETE",
			path: "/drive/v3/files/{file_id}",
			params: params({ file_id }),
			query: { supportsAllDrives: true },
			response: "text",
			output: done("deleted", "Always true"),
			examples: [{ title: "One file", params: { file_id: "1a2b3c" } }],
		},
		share_file: {
			title: "Share a file or folder",
			method: "POST",
			path: "/drive/v3/files/{file_id}/permissions",
			params: params(
				{
					file_id,
					role: choice(["reader", "commenter", "writer", "fileOrganizer", "organizer"], "What they may do"),
				},
				{
					type: choice(["user", "group", "domain", "anyone"], "With whom", { default: "user" }),
					email: text("The address of the user or group"),
					domain: text("With type domain: the domain"),
					notify: flag("Whether the user or group gets an e-mail", { default: true }),
					message: text("A text in that e-mail"),
				},
			),
			query: {
				sendNotificationEmail: "{{params.notify}}",
				emailMessage: "{{params.message}}",
				supportsAllDrives: true,
			},
			body: {
				kind: "json",
				value: {
					role: "{{params.role}}",
					type: "{{params.type}}",
					emailAddress: "{{params.email}}",
					domain: "{{params.domain}}",
				},
			},
			output: {
				schema: answer({
					id: text("The permission's id, for unshare_file"),
					type: text("With whom"),
					role: text("What they may do"),
				}),
			},
			examples: [
				{
					title: "With a colleague",
					params: { file_id: "1a2b3c", role: "writer", email: "ada@example.com" },
				},
				{
					title: "With everyone who has the link",
					params: { file_id: "1a2b3c", role: "reader", type: "anyone" },
				},
			],
		},
		list_permissions: {
			title: "List with whom a file is shared",
			method: "GET",
			path: "/drive/v3/files/{file_id}/permissions",
			params: params({ file_id }, { page_token: text("nextPageToken of the previous page") }),
			query: {
				pageSize: 100,
				pageToken: "{{params.page_token}}",
				fields: "nextPageToken,permissions(id,type,role,emailAddress,domain,displayName)",
				supportsAllDrives: true,
			},
			paginate: readTokens("permissions"),
			output: {
				schema: answer({
					permissions: list(
						object("A permission", {
							id: text("Its id"),
							type: text("user, group, domain or anyone"),
							role: text("What they may do"),
							emailAddress: text("The address of the user or group"),
						}),
						"The permissions",
					),
					nextPageToken: text("page_token for the next page"),
				}),
			},
			examples: [{ title: "One file", params: { file_id: "1a2b3c" } }],
		},
		unshare_file: {
			title: "Stop sharing a file",
			method: "DELETE",
			path: "/drive/v3/files/{file_id}/permissions/{permission_id}",
			params: params({ file_id, permission_id: text("The permission's id") }),
			query: { supportsAllDrives: true },
			response: "text",
			output: done("deleted", "Always true"),
			examples: [{ title: "The link", params: { file_id: "1a2b3c", permission_id: "anyoneWithLink" } }],
		},
	},
};
