import type { ApiRecipe } from "@tripline/contract/recipes";
import { file, flag, integer, list, text } from "../schema-words.ts";
import { answer, anyOf, exampleFile, object, params, pass } from "./schema.ts";

const table = text("The table's or view's name");
const schema = text("The database schema, if it is not the default one");
const select = text("Columns, comma-separated; related tables in parentheses, such as id,author(name)");
const CONDITION = text(
	'A condition: column.operator.value, such as age.gte.18, name.ilike.*ada*, deleted_at.is.null or status.in.(new,open). Values with commas or parentheses in double quotes: name.eq."Lovelace, Ada"',
);
const where = list(CONDITION, "Only rows that match all of these conditions", { minItems: 1 });
const whereAll = '({{params.where | join(",")}})';
const row = object("A row: values by column");
const rows = list(row, "The rows");
const records = anyOf(
	[{ type: "object" }, { type: "array", items: { type: "object" } }],
	"One row, or several",
);
const bucket = text("The bucket's name");
const path = text("The file's path in the bucket, such as reports/january.pdf");

export const supabase: ApiRecipe = {
	id: "supabase",
	category: "data",
	title: "Supabase",
	description: "Rows, functions and files of a Supabase project.",
	auth: "supabase_key",
	base_url: "https://{{credential.host}}",
	docs_url: "https://supabase.com/docs/guides/api",
	operations: {
		select_rows: {
			title: "Select rows",
			description: "With paginate, set order to a unique column, so that no row is skipped or repeated.",
			method: "GET",
			path: "/rest/v1/{table}",
			params: params(
				{ table },
				{
					select,
					where,
					any: list(CONDITION, "Only rows that match one of these conditions", { minItems: 1 }),
					order: text("Columns with direction, such as created_at.desc,name.asc"),
					limit: integer("Maximum number of rows", { minimum: 1, default: 1000 }),
					offset: integer("Number of rows to skip", { minimum: 0 }),
					schema,
				},
			),
			query: {
				select: "{{params.select}}",
				and: whereAll,
				or: '({{params.any | join(",")}})',
				...pass("order", "limit", "offset"),
			},
			headers: { "accept-profile": "{{params.schema}}" },
			paginate: { by: "page", param: "offset", start: 0, step: 100, size_param: "limit", size: 100 },
			output: { schema: rows },
			examples: [
				{
					title: "New orders",
					params: { table: "orders", where: ["status.eq.new", "total.gte.100"], order: "created_at.desc" },
				},
			],
		},
		insert_rows: {
			title: "Insert rows",
			method: "POST",
			path: "/rest/v1/{table}",
			params: params({ table, rows: records }, { select, schema }),
			query: pass("select"),
			headers: { prefer: "return=representation", "content-profile": "{{params.schema}}" },
			body: { kind: "json", value: "{{params.rows}}" },
			output: { schema: rows },
			examples: [{ title: "An order", params: { table: "orders", rows: { status: "new", total: 120 } } }],
		},
		upsert_rows: {
			title: "Insert or update rows",
			description: "A row whose primary key, or whose columns on_conflict, exist already is updated.",
			method: "POST",
			path: "/rest/v1/{table}",
			params: params(
				{ table, rows: records },
				{ on_conflict: text("Unique columns, comma-separated; default the primary key"), select, schema },
			),
			query: pass("on_conflict", "select"),
			headers: {
				prefer: "resolution=merge-duplicates,return=representation",
				"content-profile": "{{params.schema}}",
			},
			body: { kind: "json", value: "{{params.rows}}" },
			output: { schema: rows },
			examples: [
				{
					title: "A customer by address",
					params: {
						table: "customers",
						rows: [{ email: "ada@example.com", name: "Ada" }],
						on_conflict: "email",
					},
				},
			],
		},
		update_rows: {
			title: "Update rows",
			description: "Changes only the given columns. Returns the changed rows.",
			method: "PATCH",
			path: "/rest/v1/{table}",
			params: params({ table, where, values: object("New values by column") }, { select, schema }),
			query: { and: whereAll, select: "{{params.select}}" },
			headers: { prefer: "return=representation", "content-profile": "{{params.schema}}" },
			body: { kind: "json", value: "{{params.values}}" },
			output: { schema: rows },
			examples: [
				{ title: "Ship it", params: { table: "orders", where: ["id.eq.7"], values: { status: "shipped" } } },
			],
		},
		delete_rows: {
			title: "Delete rows",
			description: "Returns the deleted rows.",
			method: "DELETE",
			path: "/rest/v1/{table}",
			params: params({ table, where }, { select, schema }),
			query: { and: whereAll, select: "{{params.select}}" },
			headers: { prefer: "return=representation", "content-profile": "{{params.schema}}" },
			output: { schema: rows },
			examples: [{ title: "One", params: { table: "orders", where: ["id.eq.7"] } }],
		},
		call_function: {
			title: "Call a database function",
			method: "POST",
			path: "/rest/v1/rpc/{function}",
			params: params(
				{ function: text("The function's name") },
				{ arguments: { ...object("Its arguments by name"), default: {} }, schema },
			),
			headers: { "content-profile": "{{params.schema}}" },
			body: { kind: "json", value: "{{params.arguments}}" },
			output: { schema: { description: "What the function returns" } },
			examples: [{ title: "A sum", params: { function: "add_them", arguments: { a: 1, b: 2 } } }],
		},
		upload_file: {
			title: "Upload a file",
			method: "POST",
			path: "/storage/v1/object/{bucket}/{+path}",
			params: params(
				{ bucket, path, file: file("The content") },
				{ replace: flag("Replace an existing file", { default: false }) },
			),
			headers: { "x-upsert": "{{params.replace}}" },
			body: { kind: "file", file: "{{params.file}}" },
			output: { schema: answer({ Key: text("Bucket and path"), Id: text("The file's id") }) },
			examples: [
				{
					title: "A report",
					params: {
						bucket: "reports",
						path: "2026/january.pdf",
						file: exampleFile("january.pdf", "application/pdf"),
					},
				},
			],
		},
		download_file: {
			title: "Download a file",
			method: "GET",
			path: "/storage/v1/object/authenticated/{bucket}/{+path}",
			params: params({ bucket, path }, { name: text("Name of the file; default the end of the path") }),
			response: "file",
			filename: "{{params.name}}",
			output: { schema: file("The content") },
			examples: [{ title: "A report", params: { bucket: "reports", path: "2026/january.pdf" } }],
		},
		list_files: {
			title: "List files of a folder",
			method: "POST",
			path: "/storage/v1/object/list/{bucket}",
			params: params(
				{ bucket },
				{
					prefix: text("The folder; empty for the bucket's root", { default: "" }),
					search: text("Only names that contain this"),
					limit: integer("Maximum number of results", { minimum: 1, maximum: 1000, default: 100 }),
					offset: integer("Number of results to skip", { minimum: 0, default: 0 }),
				},
			),
			body: { kind: "json", value: pass("prefix", "search", "limit", "offset") },
			paginate: { by: "page", body: "offset", start: 0, step: 100, size_body: "limit", size: 100 },
			output: {
				schema: list(
					answer({ name: text("Its name"), metadata: { description: "Size and type; null for a folder" } }),
					"Files and folders",
				),
			},
			examples: [{ title: "A folder", params: { bucket: "reports", prefix: "2026" } }],
		},
		create_signed_url: {
			title: "Create a temporary link to a file",
			description: "Returns a path below https://<host>/storage/v1.",
			method: "POST",
			path: "/storage/v1/object/sign/{bucket}/{+path}",
			params: params(
				{ bucket, path },
				{ expires_in: integer("Seconds until it expires", { minimum: 1, default: 3600 }) },
			),
			body: { kind: "json", value: { expiresIn: "{{params.expires_in}}" } },
			output: { schema: answer({ signedURL: text("Such as /object/sign/reports/a.pdf?token=…") }) },
			examples: [{ title: "For a day", params: { bucket: "reports", path: "a.pdf", expires_in: 86_400 } }],
		},
	},
};
