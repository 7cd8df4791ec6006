import type { Triplet } from "@tripline/contract/triplets";

type Fact = Pick<Triplet, "subject" | "predicate" | "object">;

/** A triplet as a line: `Ada >> wrote >> Notes`. Names that contain `>>` are quoted. */
export const renderFact = ({ subject, predicate, object }: Fact): string =>
	[subject, predicate, object]
		.map((name) => (name.includes(">>") ? JSON.stringify(name) : name))
		.join(" >> ");

export const renderTriplet = (triplet: Triplet): string =>
	renderFact(triplet) + (triplet.status === "deprecated" ? " (deprecated)" : "");
