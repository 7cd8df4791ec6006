import { api } from "../../../api/api.ts";
import type { Diff, WorkflowDetail } from "../../../api/types.ts";
import { useQuery } from "../../../api/use-query.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Problem } from "../../../ui/problem.tsx";
import type { Autosave } from "../text/use-autosave.ts";
import { DiffView } from "./diff-view.tsx";
import { VERSIONS } from "./texts.ts";

interface Props {
	readonly name: string;
	/** Counts the comparisons: each loads again. */
	readonly count: number;
	readonly autosave: Autosave;
	readonly isBusy: boolean;
	readonly problem: Error | null;
	onKeep(theirs: number): void;
	onTake(theirs: WorkflowDetail): void;
	onClose(): void;
}

interface Both {
	readonly theirs: WorkflowDetail;
	readonly number: number;
	readonly hunks: Diff["hunks"];
}

/** Shows the draft next to the version that someone else published, and lets the user choose. */
export function ConflictDialog({ name, count, autosave, isBusy, problem, ...on }: Props) {
	const text = useTexts(VERSIONS);
	const query = useQuery(`conflict:${name}:${count}`, load);
	const { data } = query;
	return (
		<Dialog
			title={text.conflictTitle}
			className="conflict"
			onClose={on.onClose}
			actions={
				<>
					<Button onClick={on.onClose}>{text.continueEditing}</Button>
					<Button disabled={data === undefined} onClick={() => data && on.onTake(data.theirs)}>
						{text.takeTheirs}
					</Button>
					<Button
						kind="primary"
						disabled={data === undefined}
						isBusy={isBusy}
						onClick={() => data && on.onKeep(data.number)}
					>
						{text.keepMine}
					</Button>
				</>
			}
		>
			<p>{text.conflictText}</p>
			{problem !== null && <Problem error={problem} />}
			<Loaded query={query} lines={6}>
				{({ hunks, number }) => <DiffView hunks={hunks} from={text.theirs(number)} to={text.mine} />}
			</Loaded>
			<p className="soft">{text.conflictHint}</p>
		</Dialog>
	);

	/** The draft is compared as the service has it, so it is stored first. */
	async function load(signal: AbortSignal): Promise<Both> {
		await autosave.flush();
		const theirs = await api.workflows.get(name, signal);
		const number = theirs.workflow.version_number ?? 1;
		const { hunks } = await api.versions.diff(name, number, "draft", signal);
		return { theirs, number, hunks };
	}
}
