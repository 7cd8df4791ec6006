import { api } from "../../api/api.ts";
import { useAction } from "../../api/use-action.ts";
import { useTexts } from "../../texts/texts.ts";
import { Switch } from "../../ui/switch.tsx";
import { toast } from "../../ui/toasts.tsx";
import { WORKFLOWS } from "./texts.ts";

interface Props {
	readonly name: string;
	readonly isEnabled: boolean;
	onSwitched(enabled: boolean): void;
}

/** Switches a workflow's triggers on or off. */
export function EnabledSwitch({ name, isEnabled, onSwitched }: Props) {
	const text = useTexts(WORKFLOWS);
	const change = useAction(async (wanted: boolean) => {
		try {
			const { enabled } = await api.workflows.setEnabled(name, wanted);
			onSwitched(enabled);
			toast(enabled ? text.switchedOn(name) : text.switchedOff(name));
		} catch (error) {
			toast(text.notSwitched(name, error instanceof Error ? error.message : ""), { isProblem: true });
		}
	});
	return (
		<Switch
			label={text.switchOf(name)}
			word={isEnabled ? text.on : text.off}
			isOn={isEnabled}
			isBusy={change.isBusy}
			onChange={(wanted) => void change.run(wanted)}
		/>
	);
}
