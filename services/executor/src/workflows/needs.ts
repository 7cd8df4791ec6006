import { listTools } from "@tripline/components/agent/list-tools";
import type { JsonObject } from "@tripline/contract/workflows";
import type { UnmetNeed } from "@tripline/engine/compile/advise";
import type { Definition } from "@tripline/engine/definition";

/** What a service may lack. */
export interface Provided {
	/** Whether there is a place for the bytes of files. */
	readonly hasFiles: boolean;
	/** Whether the owner has opened folders to workflows. */
	readonly hasFolders: boolean;
	/** Whether the platform reaches databases. */
	readonly hasDatabases: boolean;
	/** Whether the platform reaches mail servers. */
	readonly hasMail: boolean;
}

const always = () => true;

/** Components that work only with files, or that do with these parameters. A new component with files belongs here. */
const FILE_USERS: Readonly<Record<string, (params: JsonObject) => boolean>> = {
	make_file: always,
	file_keep: always,
	file_list: always,
	file_delete: always,
	file_link: always,
	email_send: (params) => Object.hasOwn(params, "attachments"),
	sql_query: (params) => Object.hasOwn(params, "into"),
	parse: (params) => Object.hasOwn(params, "file"),
	respond: (params) => Object.hasOwn(params, "file"),
	http_request: (params) =>
		Object.hasOwn(params, "file") || params.response === "file" || hasFilePart(params.multipart),
};

const hasFilePart = (parts: unknown): boolean =>
	Array.isArray(parts) && parts.some((part) => isObject(part) && Object.hasOwn(part, "file"));

/** Errors for what the workflow uses and the service does not have, so that it fails when it is saved and not in a run. */
export function findUnmetNeeds(definition: Definition, provided: Provided): readonly UnmetNeed[] {
	const { graph, options, trigger } = definition;
	const needs: UnmetNeed[] = [];
	for (const node of graph.nodes) {
		const { id, component, params } = node;
		const need = findNeed(component, params, provided);
		if (need !== null) needs.push({ node: id, ...need });
		for (const { component = "", params, path } of listTools(node)) {
			const need = findNeed(component, params, provided);
			if (need !== null) needs.push({ ...need, node: id, path: [...path, "component"] });
		}
	}
	if (trigger?.email !== undefined && !provided.hasMail)
		needs.push({ path: ["trigger", "email"], ...NO_MAILBOXES });
	if (provided.hasFiles) return needs;
	if (trigger?.type === "webhook" && trigger.accept?.some((body) => body === "files" || body === "bytes"))
		needs.push({ path: ["trigger", "accept"], ...NO_FILES });
	for (const name of listFileFields(options.input_schema))
		needs.push({ path: ["options", "input_schema", "properties", name], ...NO_FILES });
	return needs;
}

/** What a component needs with these parameters, and does not have. */
function findNeed(component: string, params: JsonObject, provided: Provided): UnmetNeed | null {
	const path = ["component"];
	if (component === "folder" && !provided.hasFolders) return { path, ...NO_FOLDERS };
	if (component === "email_send" && !provided.hasMail) return { path, ...NO_MAIL };
	if (component === "sql_query") {
		if (!provided.hasDatabases) return { path, ...NO_DATABASES };
		if (Object.hasOwn(params, "file") && !provided.hasFolders) return { path: ["file"], ...NO_FOLDERS };
	}
	const usesFiles = Object.hasOwn(FILE_USERS, component) && FILE_USERS[component]?.(params) === true;
	return usesFiles && !provided.hasFiles ? { path, ...NO_FILES } : null;
}

const NO_FILES = {
	message: "this deployment has no place for files",
	hint: "Enable R2 in the Cloudflare dashboard and run tripline update, which binds a bucket as FILES",
} as const;

const NO_FOLDERS = {
	message: "no folder is open to workflows",
	hint: "Name it in ALLOW_FOLDERS; only a self-hosted service on Node has folders, and only for workflows with an owner",
} as const;

const NO_DATABASES = {
	message: "sql_query is not available on Cloudflare",
	hint: "Use a service on Node, or the HTTP API of the database with http_request",
} as const;

const NO_MAILBOXES = {
	message: "mails cannot start workflows on Cloudflare",
	hint: "Use a service on Node, or let the mail service call a webhook",
} as const;

const NO_MAIL = {
	message: "email_send is not available on Cloudflare",
	hint: "Use a service on Node, or the HTTP API of a mail service such as gmail.send_email or resend.send_email",
} as const;

function listFileFields(schema: JsonObject | undefined): readonly string[] {
	const { properties } = schema ?? {};
	if (!isObject(properties)) return [];
	return Object.keys(properties).filter((name) => {
		const field = properties[name];
		return (
			isObject(field) && (field.format === "file" || (isObject(field.items) && field.items.format === "file"))
		);
	});
}

const isObject = (value: unknown): value is JsonObject =>
	typeof value === "object" && value !== null && !Array.isArray(value);
