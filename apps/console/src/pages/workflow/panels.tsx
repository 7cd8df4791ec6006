import type { ExecutionDetail, JsonObject, WorkflowDetail } from "../../api/types.ts";
import type { Query } from "../../api/use-query.ts";
import { useTexts } from "../../texts/texts.ts";
import { Tabs } from "../../ui/tabs.tsx";
import { CallPanel } from "./call/call-panel.tsx";
import { ChatPanel } from "./chat/chat-panel.tsx";
import type { Talk } from "./chat/use-talk.ts";
import { FormPreview } from "./form-preview.tsx";
import { HistoryPanel } from "./run/history-panel.tsx";
import { RunPanel } from "./run/run-panel.tsx";
import type { DraftPins } from "./run/use-draft-pins.ts";
import type { Checked } from "./text/use-validation.ts";
import { WORKFLOW } from "./texts.ts";
import type { Running } from "./use-running.ts";
import type { Comparison } from "./versions/comparison.ts";
import { VersionsPanel } from "./versions/versions-panel.tsx";

export type Panel = "run" | "chat" | "history" | "versions" | "call" | "form";

interface Props {
	readonly panel: Panel;
	/** Null for a new workflow. */
	readonly name: string | null;
	readonly detail: WorkflowDetail | null;
	readonly isUnsaved: boolean;
	readonly isSaving: boolean;
	readonly schema: JsonObject | undefined;
	/** The form of the text; null if it has none. */
	readonly form: Checked["form"];
	readonly running: Running;
	readonly talk: Talk;
	readonly pins: DraftPins;
	readonly nodes: number;
	readonly chosenRun: string | null;
	readonly runDetail: Query<ExecutionDetail>;
	readonly focus: "input" | "button" | null;
	onFocused(): void;
	onPanel(panel: Panel): void;
	onChooseRun(id: string | null): void;
	onShowNode(id: string): void;
	onCompare(comparison: Comparison | null): void;
	onRestored(): void;
}

/** The tabs below the text: run, chat if there is one, runs, versions, how to call, and the form if there is one. */
export function Panels(props: Props) {
	const { panel, detail, form, running, onPanel, onShowNode } = props;
	const text = useTexts(WORKFLOW);
	const hasChat = detail !== null && detail.call.chat_url !== null;
	return (
		<div className="card panels">
			<Tabs<Panel>
				label={text.panels}
				chosen={panel}
				onChoose={onPanel}
				tabs={[
					{ id: "run", label: text.runTab },
					...(hasChat || panel === "chat" ? [{ id: "chat", label: text.chatTab } as const] : []),
					{ id: "history", label: text.historyTab },
					...(props.name === null ? [] : [{ id: "versions", label: text.versionsTab } as const]),
					{ id: "call", label: text.callTab },
					...(form !== null || panel === "form" ? [{ id: "form", label: text.formTab } as const] : []),
				]}
			>
				<div className="panel-body">
					{panel === "run" && (
						<RunPanel
							name={props.name}
							isUnsaved={props.isUnsaved}
							isSaving={props.isSaving}
							schema={props.schema}
							running={running}
							pins={props.pins}
							nodes={props.nodes}
							focus={props.focus}
							onFocused={props.onFocused}
							onShowNode={onShowNode}
						/>
					)}
					{panel === "chat" && (
						<ChatPanel talk={props.talk} running={running} nodes={props.nodes} onShowNode={onShowNode} />
					)}
					{panel === "history" && (
						<HistoryPanel
							executions={detail?.executions ?? []}
							chosen={props.chosenRun}
							detail={props.runDetail}
							savedAt={detail?.workflow.updated_at ?? null}
							onChoose={props.onChooseRun}
							onShowNode={onShowNode}
						/>
					)}
					{panel === "versions" && props.name !== null && detail !== null && (
						<VersionsPanel
							name={props.name}
							detail={detail}
							onCompare={props.onCompare}
							onShowNode={onShowNode}
							onRestored={props.onRestored}
						/>
					)}
					{panel === "call" && <CallPanel detail={detail} input={running.input} />}
					{panel === "form" && <FormPreview of={form} />}
				</div>
			</Tabs>
		</div>
	);
}
