import type { ReactNode } from "react";
import { isNotThere } from "../api/not-there.ts";
import type { Query } from "../api/use-query.ts";
import { useTexts } from "../texts/texts.ts";
import { COMMON } from "./common-texts.ts";
import { Problem } from "./problem.tsx";

/** Lines in the place of what is still on its way. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
	const text = useTexts(COMMON);
	return (
		<div className="skeleton" role="status" aria-label={text.loading}>
			{Array.from({ length: lines }, (_, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
				<span key={index} />
			))}
		</div>
	);
}

interface Props<T> {
	readonly query: Query<T>;
	readonly lines?: number;
	/** In its place where the service says that there is no such thing. */
	readonly missing?: ReactNode;
	children(data: T): ReactNode;
}

/** The data when it is there, and the problem above it when asking again failed. */
export function Loaded<T>({ query, lines, missing, children }: Props<T>) {
	const { data, problem, reload } = query;
	if (missing !== undefined && isNotThere(problem)) return missing;
	return (
		<>
			{problem !== null && <Problem error={problem} retry={reload} />}
			{data !== undefined
				? children(data)
				: problem === null && <Skeleton {...(lines !== undefined && { lines })} />}
		</>
	);
}
