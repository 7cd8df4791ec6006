import { useState } from "react";
import { api } from "../../../api/api.ts";
import { isNotFound } from "../../../api/not-found.ts";
import type { ExecutionRecord } from "../../../api/types.ts";
import { useQuery } from "../../../api/use-query.ts";
import { useTexts } from "../../../texts/texts.ts";
import { TIMES } from "../../../times.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { useStatusWord } from "../../../ui/status.tsx";
import { compareRuns } from "./comparison.ts";
import { ComparisonList } from "./comparison-list.tsx";
import { loadSide } from "./load-side.ts";
import { RUN_DATA } from "./texts.ts";

const MAX_RUNS = 100;

interface Props {
	readonly id: string;
	readonly workflow: string;
	onClose(): void;
}

/** Compares a run with another one of the same workflow. */
export default function CompareRuns({ id, workflow, onClose }: Props) {
	const text = useTexts(RUN_DATA);
	const [chosen, setChosen] = useState<string | null>(null);
	const runs = useQuery(`runs of ${workflow}`, (signal) =>
		api.executions.list({ workflow, limit: MAX_RUNS }, signal),
	);
	return (
		<Dialog title={text.compareTitle} className="node-data" onClose={onClose}>
			<Loaded query={runs}>
				{({ executions }) => {
					const others = executions.filter((each) => each.id !== id);
					const other = chosen ?? findPrevious(executions, id)?.id;
					if (other === undefined) return <p className="soft">{text.noOtherRuns}</p>;
					return (
						<>
							<RunChooser runs={others} chosen={other} onChoose={setChosen} />
							<Comparison key={other} one={id} other={other} />
						</>
					);
				}}
			</Loaded>
		</Dialog>
	);
}

/** The run before this one, or else the latest. The list has the newest first. */
function findPrevious(runs: readonly ExecutionRecord[], id: string): ExecutionRecord | undefined {
	const at = runs.findIndex((run) => run.id === id);
	return runs[at + 1] ?? runs.find((run) => run.id !== id);
}

interface ChooserProps {
	readonly runs: readonly ExecutionRecord[];
	readonly chosen: string;
	onChoose(id: string): void;
}

function RunChooser({ runs, chosen, onChoose }: ChooserProps) {
	const text = useTexts(RUN_DATA);
	const { formatTime } = useTexts(TIMES);
	const getStatusWord = useStatusWord();
	return (
		<Field label={text.otherRun}>
			{(control) => (
				<select {...control} value={chosen} onChange={(event) => onChoose(event.target.value)}>
					{runs.map(({ id, time, verdict }) => (
						<option key={id} value={id}>
							{formatTime(time, { withSeconds: true })} · {getStatusWord(verdict)}
						</option>
					))}
				</select>
			)}
		</Field>
	);
}

function Comparison({ one, other }: { readonly one: string; readonly other: string }) {
	const text = useTexts(RUN_DATA);
	const first = useQuery(`whole data ${one}`, (signal) => loadSide(one, signal));
	const second = useQuery(`whole data ${other}`, (signal) => loadSide(other, signal));
	if (isNotFound(second.problem)) return <p className="soft">{text.otherNotKept}</p>;
	return (
		<Loaded query={first}>
			{(left) => (
				<Loaded query={second}>
					{(right) => (
						<ComparisonList steps={compareRuns(left, right)} isWhole={left.isWhole && right.isWhole} />
					)}
				</Loaded>
			)}
		</Loaded>
	);
}
