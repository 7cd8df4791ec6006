import * as z from "zod";

/** A tenant's namespace: the value of the tenant header in self-hosted mode and of `owner_id`. */
export const Namespace = z
	.string()
	.regex(
		/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
		"must be 1 to 64 letters, digits, _ or -, starting with a letter or digit",
	)
	.meta({ description: "Tenant namespace" });

/** The owner of the data; a partner key may imply it. */
export const Owner = Namespace.optional().meta({
	description: "Owner; required unless a partner key implies it",
});

/** Owner of data shared by all tenants. No tenant can have this name: theirs start with a letter or a digit. */
export const SYSTEM_OWNER = "_system";

/** The owner of entries: a tenant, or for an internal caller also the service itself. */
export const EntryOwner = z
	.string()
	.regex(
		/^(?:_system|[A-Za-z0-9][A-Za-z0-9_-]{0,63})$/,
		"must be 1 to 64 letters, digits, _ or -, starting with a letter or digit",
	)
	.optional()
	.meta({ description: "Owner; required unless a partner key implies it. Internal callers may use _system" });

export const EntryType = z
	.string()
	.regex(
		/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/,
		"must be 1 to 64 letters, digits, _, . or -, starting with a letter or digit",
	)
	.meta({ description: "Entry type" });

/** A single-line name in any script. */
export const nameUpTo = (length: number) =>
	z
		.string()
		.min(1, "must not be empty")
		.refine((text) => isAtMost(text, length), `must be at most ${length} characters`)
		.refine((text) => !/\p{Cc}/u.test(text), "must not contain control characters");

/** Counts code points: a character outside the basic plane counts once, although it has two code units. */
const isAtMost = (text: string, length: number): boolean =>
	text.length <= length || (text.length <= length * 2 && [...text].length <= length);

/** A name that is used as one segment of a URL path. */
export const segmentUpTo = (length: number) =>
	nameUpTo(length)
		.refine((name) => !name.includes("/"), "must not contain /")
		.refine((name) => name !== "." && name !== "..", "must not be . or .., which a URL path cannot contain");

export const PageName = nameUpTo(512).meta({ description: "Page name; for a workflow, its name" });

export const Id = z.uuid().meta({ description: "UUIDv7" });
