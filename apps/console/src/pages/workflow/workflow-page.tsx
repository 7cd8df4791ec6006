import { useMemo, useRef } from "react";
import { api } from "../../api/api.ts";
import { ApiProblem } from "../../api/call.ts";
import type { JsonObject } from "../../api/types.ts";
import { useQuery } from "../../api/use-query.ts";
import { navigate, type PageProps, useSearch } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Page } from "../../ui/page.tsx";
import { getStartInput, getStartText } from "../workflows/starts.ts";
import { WORKFLOW } from "./texts.ts";
import { Workspace } from "./workspace.tsx";

const POLL_MS = 15_000;
const NOTHING = { text: "", input: {} };

export default function WorkflowPage({ params }: PageProps) {
	const text = useTexts(WORKFLOW);
	const name = params.name ?? null;
	const [search] = useSearch();
	const from = name === null ? search.get("from") : null;
	const { key, isSavedHere, next } = useWork(buildPlaceKey(name, from));
	const initial = useMemo(() => (name === null ? getStart(from) : NOTHING), [name, from]);
	const query = useQuery(
		name === null ? null : `workflow:${name}`,
		(signal) => api.workflows.get(name ?? "", signal),
		{ everyMs: POLL_MS },
	);
	const { data, problem, reload } = query;
	if (data !== undefined || name === null || isSavedHere)
		return (
			<Workspace
				key={key}
				name={name}
				detail={data ?? null}
				initial={initial}
				problem={problem}
				reload={reload}
				onChanged={({ draft, enabled }) => {
					if (data === undefined) return;
					const workflow = enabled === undefined ? data.workflow : { ...data.workflow, enabled };
					query.set({ ...data, workflow, ...(draft !== undefined && { draft }) });
				}}
				onSavedAs={(saved) => next(buildPlaceKey(saved, null))}
			/>
		);
	const isMissing = problem instanceof ApiProblem && problem.status === 404;
	return (
		<Page title={name} isWide>
			{isMissing ? (
				<Empty
					icon="search"
					title={text.notFound(name)}
					action={<Button onClick={() => navigate("/workflows")}>{text.allWorkflows}</Button>}
				/>
			) : (
				<Loaded query={query} lines={8}>
					{() => null}
				</Loaded>
			)}
		</Page>
	);
}

/**
 * A React key per workflow. A new workflow keeps its key when it is first saved, so that editing continues without a
 * remount.
 */
function useWork(place: string): {
	readonly key: number;
	readonly isSavedHere: boolean;
	next(place: string): void;
} {
	const work = useRef({ place, key: 0, isSavedHere: false });
	const next = useRef<string | null>(null);
	if (work.current.place !== place) {
		const isSavedHere = next.current === place;
		work.current = { place, key: work.current.key + (isSavedHere ? 0 : 1), isSavedHere };
		next.current = null;
	}
	const { key, isSavedHere } = work.current;
	return {
		key,
		isSavedHere,
		next(saved) {
			next.current = saved;
		},
	};
}

const buildPlaceKey = (name: string | null, from: string | null): string => JSON.stringify([name, from]);

function getStart(from: string | null): { readonly text: string; readonly input: JsonObject } {
	const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
	return { text: getStartText(from, zone), input: getStartInput(from) };
}
