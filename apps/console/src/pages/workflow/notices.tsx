import { NotReached } from "../../api/call.ts";
import type { WorkflowDetail } from "../../api/types.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { COMMON } from "../../ui/common-texts.ts";
import { Icon } from "../../ui/icon.tsx";
import { Problem } from "../../ui/problem.tsx";
import type { Autosave } from "./text/use-autosave.ts";
import { WORKFLOW } from "./texts.ts";
import type { Saving } from "./use-saving.ts";

interface Props {
	readonly detail: WorkflowDetail | null;
	/** Error of the last reload. */
	readonly problem: Error | null;
	readonly saving: Saving;
	readonly autosave: Autosave;
	/** Someone else published a version that the text does not contain. */
	readonly isStale: boolean;
	reload(): void;
}

/** What the user should know before going on, above the text. */
export function Notices({ detail, problem, saving, autosave, isStale, reload }: Props) {
	const text = useTexts(WORKFLOW);
	return (
		<>
			{problem !== null && <Problem error={problem} retry={reload} />}
			{saving.problem !== null && saving.problem !== autosave.problem && saving.comparison === null && (
				<Problem error={saving.problem} />
			)}
			{autosave.problem !== null && (
				<DraftProblem error={autosave.problem} retry={() => autosave.flush().catch(() => {})} />
			)}
			{detail?.workflow.enabled === false && (
				<div className="notice warn" role="status">
					<Icon name="pause" />
					<p>
						<strong>{text.isOff}</strong> {text.offText}
					</p>
				</div>
			)}
			{isStale && (
				<div className="notice" role="alert">
					<Icon name="info" />
					<p>{text.conflict}</p>
					<Button isSmall onClick={saving.compare}>
						{text.compare}
					</Button>
				</div>
			)}
		</>
	);
}

function DraftProblem({ error, retry }: { readonly error: Error; retry(): void }) {
	const text = useTexts(WORKFLOW);
	const common = useTexts(COMMON);
	return (
		<div className="problem" role="alert">
			<Icon name="alert" />
			<p>
				{text.draftProblem} {error instanceof NotReached ? common.notResponding : error.message}
			</p>
			<Button isSmall icon="reload" onClick={retry}>
				{common.retry}
			</Button>
		</div>
	);
}
