import { Failed } from "@tripline/contract/failures";
import { AUTHOR_HEADER, CLIENT_HEADER, OWN_CLIENTS } from "@tripline/contract/workflow-versions";
import type { Incoming } from "@tripline/web/http-message";
import type { Caller } from "../domain/callers.ts";
import type { Author, Condition } from "../domain/change.ts";
import type { Tenants } from "./tenants.ts";

/** Request headers of routes that change a workflow, for their descriptions. */
export const CONDITION_HEADERS = {
	"If-Match":
		'The version that the change is based on, such as "3", or * for any. 412 if it is not the current one',
} as const;

export const SAVE_HEADERS = {
	...CONDITION_HEADERS,
	"If-None-Match": "*: only if there is no workflow of that name; else 412",
} as const;

export const STALE = {
	description:
		"If-Match or If-None-Match does not hold; current_version is the number of the current version",
} as const;

const MAX_NAME_LENGTH = 200;
const CLI = /^tripline-cli\b/i;

/** Who changes a workflow, and by what. Only internal callers may name others: they have authenticated them. */
export function readAuthor(
	{ tenants }: { readonly tenants: Tenants },
	{ namespace }: Caller,
	request: Incoming,
): Author {
	if (tenants.isInternal(request)) {
		return {
			author: readName(request, AUTHOR_HEADER) ?? namespace,
			client: readName(request, CLIENT_HEADER) ?? "api",
		};
	}
	// What a program says about itself grants nothing, so it need not be proved.
	const isCli = CLI.test(request.headers.get("user-agent") ?? "");
	return { author: namespace, client: isCli ? "cli" : "api" };
}

/** Whether an assistant calls. Who claims it gains nothing, so it need not be proved. */
export function isAssistant(request: Incoming): boolean {
	const client = readName(request, CLIENT_HEADER);
	return client !== null && !OWN_CLIENTS.has(client.toLowerCase());
}

/** What saving requires; undefined if nothing. */
export function readCondition(request: Incoming): Condition | undefined {
	const match = readMatch(request);
	if (match !== undefined) return match;
	const noneMatch = request.headers.get("if-none-match")?.trim();
	if (noneMatch === undefined) return undefined;
	if (noneMatch !== "*") throw badCondition("If-None-Match must be *, which means: only if there is none");
	return "none";
}

/** The version that a change of an existing workflow requires; undefined if any. */
export function readVersion(request: Incoming): number | undefined {
	const match = readMatch(request);
	return match === "any" ? undefined : match;
}

function readMatch({ headers }: Incoming): number | "any" | undefined {
	const match = headers.get("if-match")?.trim();
	if (match === undefined || match === "*") return match === undefined ? undefined : "any";
	const number = /^"?([1-9]\d{0,14})"?$/.exec(match)?.[1];
	if (number === undefined) throw badCondition('If-Match must be a version number like "3", or *');
	return Number(number);
}

export const buildEtag = (version: number): string => `"${version}"`;

/** The header ETag; none for a workflow of the legacy store, which has no versions. */
export const buildEtagHeader = (version: number | null): Record<string, string> =>
	version === null ? {} : { etag: buildEtag(version) };

function readName(request: Incoming, header: string): string | null {
	const value = request.headers.get(header);
	if (value === null || value === "") return null;
	const name = decode(value)
		.replaceAll(/\p{Cc}/gu, " ")
		.trim();
	return name === "" ? null : [...name.toWellFormed()].slice(0, MAX_NAME_LENGTH).join("");
}

function decode(value: string): string {
	try {
		return decodeURIComponent(value);
	} catch {
		return value;
	}
}

const badCondition = (message: string): Failed => new Failed({ kind: "bad_request", message });
