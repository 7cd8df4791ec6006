import { useState } from "react";
import { api } from "../../api/api.ts";
import { isNotFound } from "../../api/not-found.ts";
import type { ExecutionDetail } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { JsonInput } from "../../inputs/json-input.tsx";
import { rememberInput } from "../../inputs/last-inputs.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { ButtonLink } from "../../ui/button-link.tsx";
import { Choice } from "../../ui/choice.tsx";
import { COMMON } from "../../ui/common-texts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toasts.tsx";
import { ACTING } from "./acting-texts.ts";
import { useRunData } from "./data/use-run-data.ts";
import { classifyRefusal, formatKeptInput, type ReplayChoice, toReplayRequest } from "./replay.ts";

export interface RunAgainProps {
	readonly record: NonNullable<ExecutionDetail["record"]>;
	readonly status: ExecutionDetail["status"];
	/** Called with the id of the new run. */
	onStarted(id: string): void;
}

/** Asks how to run again, and does it. */
export default function RunAgainDialog({
	record: { id, workflow, version_number: version, failed_node: node = null },
	status,
	onStarted,
	onClose,
}: RunAgainProps & { onClose(): void }) {
	const [text, common] = [useTexts(ACTING), useTexts(COMMON)];
	const { query: kept } = useRunData(id, { limit: 1 });
	const isForgotten = isNotFound(kept.problem);
	const [choice, setChoice] = useState<ReplayChoice>({ from: "start", version: "same", input: null });
	const input = isForgotten ? (choice.input ?? "") : choice.input;
	const request = toReplayRequest({ ...choice, input });
	const replay = useAction(async () => {
		if (request === null) return;
		const { execution_id } = await api.executions.replay(id, request);
		if (request.input !== undefined) rememberInput(workflow, input ?? "");
		toast(text.started);
		onClose();
		onStarted(execution_id);
	});
	return (
		<Dialog
			title={text.runAgain}
			onClose={onClose}
			actions={
				<>
					<Button onClick={onClose}>{common.cancel}</Button>
					<Button
						kind="primary"
						icon="run"
						isBusy={replay.isBusy}
						disabled={request === null}
						onClick={submit}
					>
						{text.runAgain}
					</Button>
				</>
			}
		>
			<p className="soft">{text.lead}</p>
			{status === "failed" && (
				<Choice
					label={text.from}
					choices={[
						{ id: "start", label: text.start, hint: text.startHint },
						{ id: "failed", label: text.failed(node), hint: text.failedHint },
					]}
					chosen={choice.from}
					onChoose={(from) => change({ from })}
				/>
			)}
			{version !== undefined && (
				<Choice
					label={text.version}
					choices={[
						{ id: "same", label: text.same(version) },
						{ id: "current", label: text.current },
					]}
					chosen={choice.version}
					onChoose={(chosen) => change({ version: chosen })}
				/>
			)}
			{choice.from === "start" &&
				(isForgotten ? (
					<p>{text.inputNotKept}</p>
				) : (
					<Choice
						label={text.input}
						choices={[
							{ id: "same", label: text.sameInput },
							{ id: "other", label: text.otherInput },
						]}
						chosen={input === null ? "same" : "other"}
						onChoose={(chosen) =>
							change({ input: chosen === "same" ? null : formatKeptInput(kept.data?.input) })
						}
					/>
				))}
			{choice.from === "start" && input !== null && (
				<JsonInput
					workflow={workflow}
					value={input}
					onChange={(typed) => change({ input: typed })}
					onSubmit={submit}
				/>
			)}
			{replay.problem !== null && <Refused error={replay.problem} from={choice.from} />}
		</Dialog>
	);

	/** What was refused says nothing about another choice. */
	function change(part: Partial<ReplayChoice>): void {
		replay.clear();
		setChoice({ ...choice, ...part });
	}

	function submit(): void {
		if (request !== null && !replay.isBusy) void replay.run();
	}
}

function Refused({ error, from }: { readonly error: Error; readonly from: ReplayChoice["from"] }) {
	const text = useTexts(ACTING);
	const refusal = classifyRefusal(error);
	if (refusal !== "not_kept")
		return (
			<div className="execution-parts">
				<Problem error={error} />
				{refusal === "uncertain" && <p>{text.mayHaveStarted}</p>}
			</div>
		);
	return (
		<div className="execution-parts">
			<Problem error={new Error(from === "failed" ? text.noSteps : text.noInput)} />
			<p className="soft">{text.howToKeep}</p>
			<div>
				<ButtonLink to="/settings" isSmall icon="settings">
					{text.chooseKept}
				</ButtonLink>
			</div>
		</div>
	);
}
