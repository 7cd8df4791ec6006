import { api } from "../../../api/api.ts";
import { useAction } from "../../../api/use-action.ts";
import { useQuery } from "../../../api/use-query.ts";
import { buildWorkflowPath } from "../../../shell/places.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { ButtonLink } from "../../../ui/button-link.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Problem } from "../../../ui/problem.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { RUN_DATA } from "./texts.ts";

/** Says how to keep the data of later runs, and does it. */
export function NothingKept({ workflow }: { readonly workflow: string | null }) {
	const text = useTexts(RUN_DATA);
	const settings = useQuery("execution settings", api.executions.settings);
	const keep = useAction(async () => {
		const before = settings.data;
		settings.set(await api.executions.changeSettings({ keep: "all" }));
		toast(text.keptNow, {
			...(before !== undefined && { action: { label: text.undo, run: () => void undo.run(before) } }),
		});
	});
	const undo = useAction(async (before: NonNullable<typeof settings.data>) => {
		settings.set(await api.executions.changeSettings(before));
	});
	const problem = keep.problem ?? undo.problem;
	return (
		<div className="execution-parts">
			<p>
				<strong>{text.nothingKept}</strong>
			</p>
			<Loaded query={settings} lines={2}>
				{({ keep: kept }) => (
					<>
						<p className="soft">{kept === "all" ? text.isKeptAlready : text.howToKeep}</p>
						<div className="detail-actions">
							{kept !== "all" && (
								<Button isBusy={keep.isBusy} onClick={() => void keep.run()}>
									{text.keepAll}
								</Button>
							)}
							{workflow !== null && (
								<ButtonLink to={buildWorkflowPath(workflow)} kind="quiet" icon="edit">
									{text.openWorkflow}
								</ButtonLink>
							)}
						</div>
					</>
				)}
			</Loaded>
			{problem !== null && <Problem error={problem} />}
		</div>
	);
}
