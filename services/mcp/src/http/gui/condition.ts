import { Failed } from "@tripline/contract/failures";
import type { IfVersion } from "@tripline/executor/client";
import type { Incoming } from "@tripline/web/http-message";
import * as z from "zod";

/** Request headers of routes that change a workflow, for their descriptions. */
export const CONDITION_HEADERS = {
	"If-Match": 'The version that the change is based on, such as "3". 412 if it is not the current one',
} as const;

export const STALE = {
	description: "The workflow has changed since the version that the change is based on",
	body: z.object({ error: z.string(), current_version: z.int().nullable() }),
} as const;

export const TAKEN = {
	description: "Another workflow has that name",
	body: z.object({ error: z.string() }),
} as const;

/** The version that a change requires; undefined if it requires none. */
export function readIfVersion({ headers }: Incoming): IfVersion | undefined {
	const match = headers.get("if-match")?.trim();
	const noneMatch = headers.get("if-none-match")?.trim();
	if (match !== undefined) {
		const number = /^"?([1-9]\d{0,14})"?$/.exec(match)?.[1];
		if (number === undefined) throw badCondition('If-Match must be a version number like "3"');
		return Number(number);
	}
	if (noneMatch === undefined) return undefined;
	if (noneMatch !== "*") throw badCondition("If-None-Match must be *, which means: only if there is none");
	return "none";
}

const badCondition = (message: string): Failed => new Failed({ kind: "bad_request", message });
