import { listFileFields } from "@tripline/contract/file-values";
import { sampleInput } from "@tripline/contract/sample-input";
import { useEffect, useRef } from "react";
import type { JsonObject } from "../../../api/types.ts";
import { FileChooser } from "../../../files/file-chooser.tsx";
import { keepFiles } from "../../../files/file-fields.ts";
import { JsonInput } from "../../../inputs/json-input.tsx";
import { formatInput, parseInput } from "../../../inputs/json-text.ts";
import { PinList } from "../../../pins/pin-list.tsx";
import { useTexts } from "../../../texts/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import type { Running } from "../use-running.ts";
import { describeRefusal } from "./refusal.ts";
import { RunOutcome } from "./run-outcome.tsx";
import { RUNS } from "./texts.ts";
import type { DraftPins } from "./use-draft-pins.ts";

interface Props {
	/** Null if the workflow was never saved. */
	readonly name: string | null;
	readonly isUnsaved: boolean;
	readonly isSaving: boolean;
	readonly schema: JsonObject | undefined;
	readonly running: Running;
	readonly pins: DraftPins;
	/** Number of nodes. */
	readonly nodes: number;
	/** Initial focus for users who came to run the workflow: the input, or the button if no input is needed. */
	readonly focus: "input" | "button" | null;
	onFocused(): void;
	onShowNode(id: string): void;
}

export function RunPanel(props: Props) {
	const { name, isUnsaved, isSaving, schema, running, pins, nodes, focus, onFocused, onShowNode } = props;
	const { input, run, isTest, isReady, setInput, changeInput, runPublished, runNow } = running;
	const text = useTexts(RUNS);
	const frame = useRef<HTMLDivElement>(null);
	useEffect(() => {
		if (focus === null) return;
		frame.current?.querySelector<HTMLElement>(focus === "input" ? "textarea" : ".primary")?.focus();
		onFocused();
	}, [focus, onFocused]);
	const isBusy = run.phase === "running";
	const { value } = parseInput(input);
	const isNoInput = value === null || !isReady;
	const fields = listFileFields(schema);
	const isDraft = name !== null && isUnsaved;
	const runText = run.phase === "none" ? text.run : text.runAgain;
	return (
		<div className="run-panel">
			<div className="run-input" ref={frame}>
				{fields.map((field) => (
					<FileChooser key={field.name} field={field} input={value} onChange={changeInput} />
				))}
				<JsonInput
					workflow={name ?? ""}
					rows={Math.min(5, Math.max(3, input.split("\n").length))}
					value={input}
					onChange={setInput}
					onSubmit={runNow}
					showsFiles={fields.length === 0}
					problem={describeRefusal(run.problem)}
				/>
				{(name === null || isDraft) && (
					<p className="run-note">
						<Icon name="info" size={14} />
						{isDraft ? text.draftHint : text.newHint}
					</p>
				)}
				<PinList of={pins.list} onUnpin={pins.unpin} onShow={pins.show} />
				<div className="actions">
					<Button kind="primary" icon="run" isBusy={isBusy || isSaving} disabled={isNoInput} onClick={runNow}>
						{name === null ? text.saveAndRun : isTest ? text.testRun : runText}
					</Button>
					{isTest && (
						<Button disabled={isNoInput || isBusy || isSaving} onClick={runPublished}>
							{text.runPublished}
						</Button>
					)}
					{schema !== undefined && (
						<Button
							kind="quiet"
							onClick={() => setInput(formatInput(keepFiles(sampleInput(schema), value ?? {}, fields)))}
						>
							{text.fillInExample}
						</Button>
					)}
				</div>
			</div>
			<RunOutcome run={run} looking={running.looking} nodes={nodes} onShowNode={onShowNode} />
		</div>
	);
}
