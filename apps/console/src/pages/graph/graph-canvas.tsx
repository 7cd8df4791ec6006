import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTexts } from "../../texts/texts.ts";
import { useIsDark } from "../../theme/theme.ts";
import { Button } from "../../ui/button.tsx";
import { GraphView } from "./graph-view.ts";
import type { Scene } from "./looks.ts";
import type { Direction } from "./placing.ts";
import { GRAPH } from "./texts.ts";

interface Props {
	readonly scene: Scene;
	onNode(key: string): void;
	onExpand(key: string): void;
	onLink(key: string): void;
	onNothing(): void;
	onLost(): void;
}

const ARROWS: Readonly<Record<string, Direction>> = {
	ArrowLeft: "left",
	ArrowRight: "right",
	ArrowUp: "up",
	ArrowDown: "down",
};

export default function GraphCanvas({ scene, ...handlers }: Props) {
	const text = useTexts(GRAPH);
	const isDark = useIsDark();
	const frame = useRef<HTMLDivElement>(null);
	// State, not a ref: creating the view and the first drawing are both slow, so they run in separate tasks.
	const [view, setView] = useState<GraphView | null>(null);
	const [isRunning, setRunning] = useState(false);
	const latest = useRef(handlers);
	latest.current = handlers;

	useEffect(() => {
		if (frame.current === null) return;
		const made = new GraphView(frame.current, {
			onNode: (key) => latest.current.onNode(key),
			onExpand: (key) => latest.current.onExpand(key),
			onLink: (key) => latest.current.onLink(key),
			onNothing: () => latest.current.onNothing(),
			onRunning: setRunning,
			onLost: () => latest.current.onLost(),
		});
		setView(made);
		return () => made.end();
	}, []);
	useEffect(() => view?.show(scene), [view, scene]);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the canvas must be redrawn when the theme changes.
	useEffect(() => view?.recolour(), [view, isDark]);
	const { chosenNode } = scene;
	useEffect(() => {
		if (chosenNode !== null) view?.reveal(chosenNode);
	}, [view, chosenNode]);

	return (
		<div className="kg-canvas">
			<div
				ref={frame}
				className="kg-frame"
				role="application"
				aria-label={text.canvasLabel}
				// biome-ignore lint/a11y/noNoninteractiveTabindex: an application handles keys.
				tabIndex={0}
				onKeyDown={handleKeyDown}
			/>
			<div className="kg-controls">
				<Button
					isSmall
					icon="plus"
					aria-label={text.zoomIn}
					title={text.zoomIn}
					onClick={() => view?.zoom(1.5)}
				/>
				<Button
					isSmall
					icon="minus"
					aria-label={text.zoomOut}
					title={text.zoomOut}
					onClick={() => view?.zoom(1 / 1.5)}
				/>
				<Button isSmall icon="fit" aria-label={text.fit} title={text.fit} onClick={() => view?.fit()} />
				<Button
					isSmall
					icon={isRunning ? "pause" : "reload"}
					aria-label={isRunning ? text.pause : text.resume}
					title={isRunning ? text.pause : text.resume}
					onClick={() => (isRunning ? view?.pause() : view?.resume())}
				/>
			</div>
		</div>
	);

	function handleKeyDown(event: KeyboardEvent): void {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const from = scene.chosenNode ?? scene.start;
		const direction = ARROWS[event.key];
		if (direction !== undefined) {
			const next = view?.findNextTo(from, direction);
			if (typeof next === "string") handlers.onNode(next);
		} else if (event.key === "Enter") handlers.onExpand(from);
		else if (event.key === "+" || event.key === "=") view?.zoom(1.5);
		else if (event.key === "-") view?.zoom(1 / 1.5);
		else if (event.key === "0") view?.fit();
		else if (event.key === "Escape") handlers.onNothing();
		else return;
		event.preventDefault();
	}
}
