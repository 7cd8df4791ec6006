import { sampleInput } from "@tripline/contract/sample-input";
import { useEffect, useRef } from "react";
import type { JsonObject } from "../../../api/types.ts";
import { JsonInput } from "../../../inputs/json-input.tsx";
import { formatInput, parseInput } from "../../../inputs/json-text.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import type { Running } from "../use-running.ts";
import { describeRefusal } from "./refusal.ts";
import { RunOutcome } from "./run-outcome.tsx";
import { RUNS } from "./texts.ts";

interface Props {
	/** Null if the workflow was never saved. */
	readonly name: string | null;
	readonly isUnsaved: boolean;
	readonly isSaving: boolean;
	readonly schema: JsonObject | undefined;
	readonly running: Running;
	/** Number of nodes. */
	readonly nodes: number;
	/** Initial focus for users who came to run the workflow: the input, or the button if no input is needed. */
	readonly focus: "input" | "button" | null;
	onFocused(): void;
	onShowNode(id: string): void;
}

export function RunPanel(props: Props) {
	const { name, isUnsaved, isSaving, schema, running, nodes, focus, onFocused, onShowNode } = props;
	const { input, run, setInput, runSaved, runNow } = running;
	const text = useTexts(RUNS);
	const frame = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (focus === null) return;
		frame.current?.querySelector<HTMLElement>(focus === "input" ? "textarea" : ".primary")?.focus();
		onFocused();
	}, [focus, onFocused]);
	const isBusy = run.phase === "running";
	const isNoInput = parseInput(input).value === null;
	const mustSave = name === null || isUnsaved;
	return (
		<div className="run-panel">
			<div className="run-input" ref={frame}>
				<JsonInput
					workflow={name ?? ""}
					rows={Math.min(5, Math.max(3, input.split("\n").length))}
					value={input}
					onChange={setInput}
					onSubmit={runNow}
					problem={describeRefusal(run.problem)}
				/>
				{mustSave && (
					<p className="run-note">
						<Icon name="info" size={14} />
						{name === null ? text.newHint : text.unsavedHint}
					</p>
				)}
				<div className="actions">
					<Button kind="primary" icon="run" isBusy={isBusy || isSaving} disabled={isNoInput} onClick={runNow}>
						{mustSave ? text.saveAndRun : run.phase === "none" ? text.run : text.runAgain}
					</Button>
					{mustSave && name !== null && (
						<Button disabled={isNoInput || isBusy || isSaving} onClick={runSaved}>
							{text.runSaved}
						</Button>
					)}
					{schema !== undefined && (
						<Button kind="quiet" onClick={() => setInput(formatInput(sampleInput(schema)))}>
							{text.fillInExample}
						</Button>
					)}
				</div>
			</div>
			<RunOutcome run={run} looking={running.looking} nodes={nodes} onShowNode={onShowNode} />
		</div>
	);
}
