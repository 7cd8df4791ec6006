import { useEffect, useRef, useSyncExternalStore } from "react";
import { navigate } from "../router.tsx";
import { stored } from "../stored.ts";
import { useTexts } from "../texts/texts.ts";
import { Dialog } from "../ui/dialog.tsx";
import { resolveKey } from "./palette-keys.ts";
import { PALETTE } from "./palette-texts.ts";
import { PLACES } from "./places.ts";
import { SHELL } from "./texts.ts";

const SECOND_KEY_MS = 1500;

/** Single-key shortcuts can be turned off, for speech input and motor impairments (WCAG 2.1.4). */
const singleKeysSetting = stored<boolean>(
	"tripline.single_keys",
	true,
	(value): value is boolean => typeof value === "boolean",
);
export const useSingleKeys = (): boolean =>
	useSyncExternalStore(singleKeysSetting.subscribe, singleKeysSetting.get);
export const setSingleKeys = (next: boolean): void => singleKeysSetting.set(next);

/** Global shortcuts, active while no field has the focus. */
export function useShortcuts({ onPalette, onHelp }: { onPalette(): void; onHelp(): void }): void {
	const latest = useRef({ onPalette, onHelp });
	latest.current = { onPalette, onHelp };
	useEffect(() => {
		let pressedG = Number.NEGATIVE_INFINITY;
		addEventListener("keydown", handleKeyDown);
		return () => removeEventListener("keydown", handleKeyDown);

		function handleKeyDown(event: KeyboardEvent): void {
			const hasModifier = event.metaKey || event.ctrlKey;
			if (hasModifier && event.key.toLowerCase() === "k") {
				event.preventDefault();
				latest.current.onPalette();
				return;
			}
			if (hasModifier || event.altKey || event.defaultPrevented || event.repeat) return;
			if (!singleKeysSetting.get() || isTaken(event)) return;
			const step = resolveKey(event.key, event.timeStamp - pressedG < SECOND_KEY_MS);
			pressedG = Number.NEGATIVE_INFINITY;
			if (step === null) return;
			event.preventDefault();
			if ("go" in step) navigate(step.go);
			else if (step.does === "help") latest.current.onHelp();
			else pressedG = event.timeStamp;
		}
	}, []);
}

/** Whether a field, an editor or an open dialog handles the key. */
function isTaken(event: KeyboardEvent): boolean {
	if (document.querySelector("dialog[open]") !== null) return true;
	// `event.target` would be the host of the shadow root, not the editor inside it.
	const [target] = event.composedPath();
	if (!(target instanceof HTMLElement)) return false;
	return target.isContentEditable || target.closest("input, textarea, select, [role=textbox]") !== null;
}

export function ShortcutsDialog({ onClose }: { onClose(): void }) {
	const text = useTexts(PALETTE);
	return (
		<Dialog title={text.shortcuts} onClose={onClose}>
			<ShortcutList />
			<p className="soft">{text.singleKeysHint}</p>
		</Dialog>
	);
}

const COMMAND = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";

export function ShortcutList() {
	const text = useTexts(PALETTE);
	const { places } = useTexts(SHELL);
	const rows: readonly {
		readonly keys: readonly string[];
		readonly isSequence?: true;
		readonly does: string;
	}[] = [
		{ keys: [COMMAND, "K"], does: text.title },
		{ keys: ["?"], does: text.showShortcuts },
		{ keys: [COMMAND, "Enter"], does: text.runWorkflow },
		{ keys: [COMMAND, "S"], does: text.saveWorkflow },
		{ keys: ["↑", "↓"], does: text.moveInList },
		...PLACES.map(({ id, key }) => ({
			keys: ["g", key],
			isSequence: true as const,
			does: text.goTo(places[id]),
		})),
	];
	return (
		<dl className="shortcuts">
			{rows.map(({ keys, isSequence, does }) => (
				<div key={does}>
					<dt>{does}</dt>
					<dd>
						{keys.map((key, index) => (
							<span key={key + String(index)}>
								{index > 0 && isSequence && <span className="soft">{text.nextKey} </span>}
								<kbd>{key}</kbd>
							</span>
						))}
					</dd>
				</div>
			))}
		</dl>
	);
}
