import { useMemo } from "react";
import { api } from "../../api/api.ts";
import { ApiProblem } from "../../api/call.ts";
import { useQuery } from "../../api/use-query.ts";
import { navigate, useSearch } from "../../router.tsx";
import type { PageProps } from "../../shell/routes.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Page } from "../../ui/page.tsx";
import { startInput, startText } from "../workflows/starts.ts";
import { WORKFLOW } from "./texts.ts";
import { Workspace } from "./workspace.tsx";

const POLL_MS = 15_000;
const NOTHING = { text: "", input: {} };

export default function WorkflowPage({ params: { name } }: PageProps) {
	return name === undefined ? <NewWorkflow /> : <SavedWorkflow name={name} />;
}

function NewWorkflow() {
	const [search] = useSearch();
	const from = search.get("from");
	const initial = useMemo(() => {
		const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
		return { text: startText(from, zone), input: startInput(from) };
	}, [from]);
	return <Workspace key={from} detail={null} initial={initial} problem={null} reload={() => {}} />;
}

function SavedWorkflow({ name }: { readonly name: string }) {
	const text = useTexts(WORKFLOW);
	const query = useQuery(`workflow:${name}`, (signal) => api.workflows.get(name, signal), {
		everyMs: POLL_MS,
	});
	const { data, problem, reload } = query;
	if (data !== undefined)
		return <Workspace detail={data} initial={NOTHING} problem={problem} reload={reload} />;
	const isMissing = problem instanceof ApiProblem && problem.status === 404;
	return (
		<Page title={name} isWide>
			{isMissing ? (
				<Empty
					icon="search"
					title={text.notThere(name)}
					action={<Button onClick={() => navigate("/workflows")}>{text.toList}</Button>}
				/>
			) : (
				<Loaded query={query} lines={8}>
					{() => null}
				</Loaded>
			)}
		</Page>
	);
}
