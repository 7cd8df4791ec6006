import type { JsonObject } from "../../../api/types.ts";
import { JsonInput } from "../../../inputs/json-input.tsx";
import { formatted, readInput } from "../../../inputs/json-text.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import type { Running } from "../use-running.ts";
import { exampleOf } from "./example.ts";
import { refusalOf } from "./refusal.ts";
import { RunOutcome } from "./run-outcome.tsx";
import { RUNS } from "./texts.ts";

interface Props {
	/** Null: it was never saved. */
	readonly name: string | null;
	readonly isUnsaved: boolean;
	readonly isSaving: boolean;
	readonly schema: JsonObject | undefined;
	readonly running: Running;
	/** How many nodes there are to run. */
	readonly nodes: number;
	onShowNode(id: string): void;
}

export function RunPanel(props: Props) {
	const { name, isUnsaved, isSaving, schema, running, nodes, onShowNode } = props;
	const { input, run, setInput, runSaved, saveAndRun, runNow } = running;
	const text = useTexts(RUNS);
	const isBusy = run.phase === "running";
	const cannotRun = readInput(input).value === null || isBusy || isSaving;
	const mustSave = name === null || isUnsaved;
	return (
		<div className="run-panel">
			<div className="run-input">
				<JsonInput
					workflow={name ?? ""}
					rows={Math.min(5, Math.max(3, input.split("\n").length))}
					value={input}
					onChange={setInput}
					onSubmit={runNow}
					problem={refusalOf(run.problem)}
				/>
				{mustSave && (
					<p className="run-note">
						<Icon name="info" size={14} />
						{name === null ? text.newNote : text.unsavedNote}
					</p>
				)}
				<div className="actions">
					{mustSave ? (
						<>
							<Button
								kind="primary"
								icon="run"
								isBusy={isBusy || isSaving}
								disabled={cannotRun}
								onClick={saveAndRun}
							>
								{text.saveAndRun}
							</Button>
							{name !== null && (
								<Button disabled={cannotRun} onClick={runSaved}>
									{text.runSaved}
								</Button>
							)}
						</>
					) : (
						<Button kind="primary" icon="run" isBusy={isBusy} disabled={cannotRun} onClick={runSaved}>
							{run.phase === "none" ? text.run : text.again}
						</Button>
					)}
					{schema !== undefined && (
						<Button kind="quiet" onClick={() => setInput(formatted(exampleOf(schema)))}>
							{text.fromSchema}
						</Button>
					)}
				</div>
			</div>
			<RunOutcome run={run} nodes={nodes} onShowNode={onShowNode} />
		</div>
	);
}
