import type { Triplet } from "@tripline/contract/triplets";

/** A triplet as returned by the store. */
export const triplet = (
	subject: string,
	predicate: string,
	object: string,
	more: Partial<Triplet> = {},
): Triplet => ({
	id: "1",
	owner_id: "default",
	subject,
	predicate,
	object,
	status: "active",
	superseded_by: null,
	source_uri: "wiki:page",
	content_hash: "v1",
	source_anchor: null,
	block_id: null,
	confidence: null,
	created_at: 0,
	updated_at: 0,
	...more,
});
