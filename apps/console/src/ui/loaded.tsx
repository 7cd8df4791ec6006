import type { ReactNode } from "react";
import { isNotFound } from "../api/not-found.ts";
import type { Query } from "../api/use-query.ts";
import { useTexts } from "../texts/texts.ts";
import { COMMON } from "./common-texts.ts";
import { Problem } from "./problem.tsx";

/** Placeholder lines while content loads. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
	const text = useTexts(COMMON);
	return (
		<div className="skeleton" role="status" aria-label={text.loading}>
			{Array.from({ length: lines }, (_, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: all lines are identical.
				<span key={index} />
			))}
		</div>
	);
}

interface Props<T> {
	readonly query: Query<T>;
	readonly lines?: number;
	/** Shown instead if the service responds "not found". */
	readonly missing?: ReactNode;
	children(data: T): ReactNode;
}

/** Renders the data once loaded, with the error above it if a reload failed. */
export function Loaded<T>({ query, lines, missing, children }: Props<T>) {
	const { data, problem, reload } = query;
	if (missing !== undefined && isNotFound(problem)) return missing;
	return (
		<>
			{problem !== null && <Problem error={problem} retry={reload} />}
			{data !== undefined
				? children(data)
				: problem === null && <Skeleton {...(lines !== undefined && { lines })} />}
		</>
	);
}
