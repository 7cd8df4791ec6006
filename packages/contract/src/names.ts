import * as z from "zod";

/** A tenant's namespace: the value of the tenant header in self-hosted mode and of `owner_id`. */
export const Namespace = z
	.string()
	.regex(
		/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
		"must be 1 to 64 letters, digits, _ or -, starting with a letter or digit",
	)
	.meta({ description: "Tenant namespace" });

/** Whose data is meant, where a partner key may stand for it. */
export const Owner = Namespace.optional().meta({
	description: "Owner; needed, unless a partner key implies it",
});

/** Owner of what the service keeps for all tenants. No tenant can have this name: theirs start with a letter or a digit. */
export const SYSTEM_OWNER = "_system";

/** Whose entries are meant: a tenant's, or for an internal caller also the service's own. */
export const EntryOwner = z
	.string()
	.regex(
		/^(?:_system|[A-Za-z0-9][A-Za-z0-9_-]{0,63})$/,
		"must be 1 to 64 letters, digits, _ or -, starting with a letter or digit",
	)
	.optional()
	.meta({ description: "Owner; needed, unless a partner key implies it. Internal callers may name _system" });

export const EntryType = z
	.string()
	.regex(
		/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/,
		"must be 1 to 64 letters, digits, _, . or -, starting with a letter or digit",
	)
	.meta({ description: "Entry type" });

/** A name of any script on one line. */
export const nameUpTo = (length: number) =>
	z
		.string()
		.min(1, "must not be empty")
		.refine((text) => isAtMost(text, length), `must be at most ${length} characters`)
		.refine((text) => !/\p{Cc}/u.test(text), "must not contain control characters");

/** A character outside the basic plane counts once, though it has two code units. */
const isAtMost = (text: string, length: number): boolean =>
	text.length <= length || (text.length <= length * 2 && [...text].length <= length);

/** A name that stands in an address as one segment. */
export const segmentUpTo = (length: number) =>
	nameUpTo(length)
		.refine((name) => !name.includes("/"), "must not contain /")
		.refine((name) => name !== "." && name !== "..", "must not be . or .., which no address can hold");

export const PageName = nameUpTo(512).meta({ description: "Page name, for a workflow its name" });

export const Id = z.uuid().meta({ description: "UUIDv7" });
