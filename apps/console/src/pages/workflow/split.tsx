import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useSyncExternalStore } from "react";
import { stored } from "../../stored.ts";

const MIN_PERCENT = 25;
const MAX_PERCENT = 75;
const STEP_PERCENT = 5;
/** Width of the first pane in percent. */
const share = stored<number>(
	"tripline.workflow.split",
	50,
	(value): value is number => typeof value === "number" && value >= MIN_PERCENT && value <= MAX_PERCENT,
);

interface Props {
	readonly label: string;
	readonly first: ReactNode;
	readonly second: ReactNode;
}

/** Two panes with a divider that can be dragged or moved by arrow keys. */
export function Split({ label, first, second }: Props) {
	const frame = useRef<HTMLDivElement>(null);
	const now = useSyncExternalStore(share.subscribe, share.get);
	return (
		<div
			className="split"
			ref={frame}
			style={{ gridTemplateColumns: `minmax(0, ${now}fr) auto minmax(0, ${100 - now}fr)` }}
		>
			{first}
			{/* biome-ignore lint/a11y/useSemanticElements: an hr element cannot be moved. */}
			<div
				className="split-divider"
				role="separator"
				aria-orientation="vertical"
				aria-label={label}
				aria-valuemin={MIN_PERCENT}
				aria-valuemax={MAX_PERCENT}
				aria-valuenow={now}
				tabIndex={0}
				onKeyDown={handleKeyDown}
				onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
				onPointerMove={handleDrag}
			/>
			{second}
		</div>
	);

	function handleDrag(event: PointerEvent<HTMLDivElement>): void {
		if (!event.currentTarget.hasPointerCapture(event.pointerId) || frame.current === null) return;
		const { left, width } = frame.current.getBoundingClientRect();
		setShare(((event.clientX - left) / width) * 100);
	}

	function handleKeyDown(event: KeyboardEvent): void {
		const next = {
			ArrowLeft: now - STEP_PERCENT,
			ArrowRight: now + STEP_PERCENT,
			Home: MIN_PERCENT,
			End: MAX_PERCENT,
		}[event.key];
		if (next === undefined) return;
		event.preventDefault();
		setShare(next);
	}
}

const setShare = (percent: number): void =>
	share.set(Math.round(Math.min(MAX_PERCENT, Math.max(MIN_PERCENT, percent))));
