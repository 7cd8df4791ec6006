import type { Entry, Triplet } from "../../api/types.ts";

type Statement = Pick<Triplet, "subject" | "predicate" | "object">;

/** Reads the statement from the metadata of a triplet's entry. */
export function readStatement({ metadata_json }: Pick<Entry, "metadata_json">): Statement | null {
	const { subject, predicate, object } = JSON.parse(metadata_json) as Partial<Statement>;
	if (subject === undefined || predicate === undefined || object === undefined) return null;
	return { subject, predicate, object };
}
