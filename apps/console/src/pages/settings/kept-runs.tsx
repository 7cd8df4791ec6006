import { useState } from "react";
import { api } from "../../api/api.ts";
import type { ExecutionSettings } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { useQuery } from "../../api/use-query.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Choice } from "../../ui/choice.tsx";
import { COMMON } from "../../ui/common-texts.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Problem } from "../../ui/problem.tsx";
import { toast } from "../../ui/toasts.tsx";
import { SETTINGS } from "./texts.ts";

type Keep = ExecutionSettings["keep"];
const CHOICES = ["memory", "failed", "all", "none"] as const satisfies readonly Keep[];

/** What is kept of the runs of this namespace. */
export function KeptRuns() {
	const [text, common] = [useTexts(SETTINGS), useTexts(COMMON)];
	const settings = useQuery("execution settings", api.executions.settings);
	const [chosen, setChosen] = useState<Keep | null>(null);
	const saving = useAction(async (keep: Keep) => {
		settings.set(await api.executions.changeSettings({ keep }));
		setChosen(null);
		toast(common.saved);
	});
	return (
		<Card title={text.keptRuns}>
			<Loaded query={settings} lines={6}>
				{({ keep }) => (
					<div className="stack">
						<p className="soft">{text.keptRunsLead}</p>
						<Choice<Keep>
							label={text.keepDataOf}
							choices={CHOICES.map((id) => ({ id, ...text.keep[id] }))}
							chosen={chosen ?? keep}
							onChoose={setChosen}
						/>
						<div>
							<Button isBusy={saving.isBusy} onClick={() => void saving.run(chosen ?? keep)}>
								{common.save}
							</Button>
						</div>
						{saving.problem !== null && <Problem error={saving.problem} />}
					</div>
				)}
			</Loaded>
		</Card>
	);
}
