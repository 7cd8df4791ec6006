import type { ApiRecipe } from "@tripline/contract/recipes";
import { choice, file, integer, list, text } from "../schema-words.ts";
import { followNextLinks } from "./paging.ts";
import { answer, done, exampleFile, object, params } from "./schema.ts";

const item_id = text("The id of a file or folder; root is the top folder");
const folder_id = text("The folder's id; root is the top folder", { default: "root" });
const name = text("Its name, such as report.pdf");
const existing = choice(["fail", "replace", "rename"], "What happens if the name exists");
const item = answer({
	id: text("Its id"),
	name: text("Its name"),
	size: integer("Its size in bytes"),
	webUrl: text("URL of its page"),
	lastModifiedDateTime: text("Time of the last change"),
	folder: object("Only of a folder: { childCount }"),
	file: object("Only of a file: { mimeType }"),
});
const items = answer({
	value: list(item, "The files and folders"),
	"@odata.nextLink": text("URL of the next page, if there is one"),
});
const limit = integer("Maximum number of results", { minimum: 1, maximum: 999, default: 200 });
/** Where Microsoft keeps the content of files, for work and personal accounts. */
const redirect_hosts = ["*.sharepoint.com", "*.1drv.com", "*.microsoftpersonalcontent.com", "*.svc.ms"];

export const onedrive: ApiRecipe = {
	id: "onedrive",
	category: "files",
	title: "OneDrive",
	description: "Files of a Microsoft account. The permission is Files.ReadWrite.",
	auth: ["microsoft_oauth", "microsoft_token"],
	base_url: "https://graph.microsoft.com/v1.0/me/drive",
	docs_url: "https://learn.microsoft.com/graph/api/resources/onedrive",
	operations: {
		list_items: {
			title: "List the files of a folder",
			method: "GET",
			path: "/items/{folder_id}/children",
			params: params({}, { folder_id, order_by: text("Such as name or lastModifiedDateTime desc"), limit }),
			query: { $top: "{{params.limit}}", $orderby: "{{params.order_by}}" },
			paginate: followNextLinks,
			output: { schema: items },
			examples: [{ title: "The top folder", params: {} }],
		},
		search_items: {
			title: "Search files and folders",
			description: "In names and contents.",
			method: "GET",
			path: "/root/search(q='{query}')",
			params: params({ query: text("Search words", { minLength: 1 }) }, { limit }),
			query: { $top: "{{params.limit}}" },
			paginate: followNextLinks,
			output: { schema: items },
			examples: [{ title: "A customer", params: { query: "O'Brien" } }],
		},
		get_item: {
			title: "Get a file's metadata",
			method: "GET",
			path: "/items/{item_id}",
			params: params({ item_id }),
			output: { schema: item },
			examples: [{ title: "One", params: { item_id: "01BYE5RZ" } }],
		},
		get_item_by_path: {
			title: "Find a file by its path",
			method: "GET",
			path: "/root:/{+path}",
			params: params({ path: text("Its path from the top folder, such as Reports/2026.xlsx") }),
			output: { schema: item },
			examples: [{ title: "A report", params: { path: "Reports/2026.xlsx" } }],
		},
		download_file: {
			title: "Download a file",
			method: "GET",
			path: "/items/{item_id}/content",
			params: params({ item_id, name: text("Name of the file, such as name of get_item") }),
			response: "file",
			filename: "{{params.name}}",
			redirect_hosts,
			output: { schema: file("The file") },
			examples: [{ title: "A report", params: { item_id: "01BYE5RZ", name: "report.pdf" } }],
		},
		download_as_pdf: {
			title: "Download a document as PDF",
			description: "For Word, Excel, PowerPoint, OpenDocument, RTF and other documents.",
			method: "GET",
			path: "/items/{item_id}/content",
			params: params({ item_id, name }),
			query: { format: "pdf" },
			response: "file",
			filename: "{{params.name}}",
			redirect_hosts,
			output: { schema: file("The file") },
			examples: [{ title: "A contract", params: { item_id: "01BYE5RZ", name: "contract.pdf" } }],
		},
		upload_file: {
			title: "Upload a file",
			description: "At most 250 MB. Replaces a file of the same name unless existing says otherwise.",
			method: "PUT",
			path: "/items/{folder_id}:/{name}:/content",
			params: params({ file: file("The file"), name }, { folder_id, existing }),
			query: { "@microsoft.graph.conflictBehavior": "{{params.existing}}" },
			body: { kind: "file", file: "{{params.file}}" },
			output: { schema: item },
			examples: [
				{
					title: "A report",
					params: { file: exampleFile("report.pdf", "application/pdf"), name: "report.pdf" },
				},
			],
		},
		create_folder: {
			title: "Create a folder",
			method: "POST",
			path: "/items/{folder_id}/children",
			params: params(
				{ name: text("Its name") },
				{
					folder_id,
					existing: choice(["fail", "replace", "rename"], "What happens if the name exists", {
						default: "fail",
					}),
				},
			),
			body: {
				kind: "json",
				value: {
					name: "{{params.name}}",
					folder: {},
					"@microsoft.graph.conflictBehavior": "{{params.existing}}",
				},
			},
			output: { schema: item },
			examples: [{ title: "Invoices", params: { name: "Invoices" } }],
		},
		move_item: {
			title: "Move or rename a file or folder",
			method: "PATCH",
			path: "/items/{item_id}",
			params: params({ item_id }, { to: text("The new folder's id"), name: text("A new name") }),
			body: {
				kind: "json",
				value: { parentReference: { id: "{{params.to}}" }, name: "{{params.name}}" },
			},
			output: { schema: item },
			examples: [{ title: "Rename", params: { item_id: "01BYE5RZ", name: "2026.xlsx" } }],
		},
		delete_item: {
			title: "Delete a file or folder",
			description: "Moves it to the recycle bin.",
			method: "DELETE",
			path: "/items/{item_id}",
			params: params({ item_id }),
			response: "text",
			output: done("deleted", "Always true"),
			examples: [{ title: "One", params: { item_id: "01BYE5RZ" } }],
		},
		create_link: {
			title: "Create a link to share a file or folder",
			method: "POST",
			path: "/items/{item_id}/createLink",
			params: params(
				{ item_id },
				{
					type: choice(["view", "edit", "embed"], "What it allows; embed only with personal accounts", {
						default: "view",
					}),
					scope: choice(["anonymous", "organization", "users"], "Who may use it"),
					expires: text("When it ends, such as 2026-12-31T00:00:00Z"),
				},
			),
			body: {
				kind: "json",
				value: {
					type: "{{params.type}}",
					scope: "{{params.scope}}",
					expirationDateTime: "{{params.expires}}",
				},
			},
			output: {
				schema: answer({
					id: text("The permission's id"),
					link: object("The link", { webUrl: text("Its URL"), type: text("What it allows") }),
				}),
			},
			examples: [{ title: "For everyone", params: { item_id: "01BYE5RZ", scope: "anonymous" } }],
		},
	},
};
