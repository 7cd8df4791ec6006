import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useSyncExternalStore } from "react";
import { stored } from "../../stored.ts";

const LEAST = 25;
const MOST = 75;
const STEP = 5;
/** Width of the first pane in percent. */
const share = stored<number>(
	"tripline.workflow.split",
	50,
	(value): value is number => typeof value === "number" && value >= LEAST && value <= MOST,
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
				aria-valuemin={LEAST}
				aria-valuemax={MOST}
				aria-valuenow={now}
				tabIndex={0}
				onKeyDown={keyed}
				onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
				onPointerMove={dragged}
			/>
			{second}
		</div>
	);

	function dragged(event: PointerEvent<HTMLDivElement>): void {
		if (!event.currentTarget.hasPointerCapture(event.pointerId) || frame.current === null) return;
		const { left, width } = frame.current.getBoundingClientRect();
		put(((event.clientX - left) / width) * 100);
	}

	function keyed(event: KeyboardEvent): void {
		const next = { ArrowLeft: now - STEP, ArrowRight: now + STEP, Home: LEAST, End: MOST }[event.key];
		if (next === undefined) return;
		event.preventDefault();
		put(next);
	}
}

const put = (percent: number): void => share.set(Math.round(Math.min(MOST, Math.max(LEAST, percent))));
