import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";

interface Props<T> {
	readonly items: readonly T[];
	readonly rowHeight: number;
	readonly label: string;
	getKey(item: T): string;
	row(item: T): ReactNode;
	/** Called when the user scrolls near the end. */
	onEnd?(): void;
	readonly className?: string;
	/** For callers that read or set the scroll position. */
	readonly frameRef?: RefObject<HTMLElement | null>;
}

const MORE_ROWS = 8;

/** Renders only the visible rows of a long list. All rows have the same height. */
export function VirtualList<T>({
	items,
	rowHeight,
	label,
	getKey,
	row,
	onEnd,
	className = "",
	frameRef,
}: Props<T>) {
	const own = useRef<HTMLElement>(null);
	const frame = frameRef ?? own;
	const [view, setView] = useState({ top: 0, height: 800 });
	useEffect(() => {
		const element = frame.current;
		if (element === null) return;
		const measure = () => setView({ top: element.scrollTop, height: element.clientHeight });
		measure();
		const observer = new ResizeObserver(measure);
		observer.observe(element);
		element.addEventListener("scroll", measure, { passive: true });
		return () => {
			observer.disconnect();
			element.removeEventListener("scroll", measure);
		};
	}, [frame]);

	const first = Math.max(0, Math.floor(view.top / rowHeight) - MORE_ROWS);
	const last = Math.min(items.length, Math.ceil((view.top + view.height) / rowHeight) + MORE_ROWS);
	const isNearEnd = last >= items.length - MORE_ROWS;
	useEffect(() => {
		if (isNearEnd) onEnd?.();
	}, [isNearEnd, onEnd]);

	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
		<section ref={frame} className={`virtual ${className}`} tabIndex={0} aria-label={label}>
			<ul style={{ height: items.length * rowHeight }}>
				{items.slice(first, last).map((item, index) => (
					<li
						key={getKey(item)}
						style={{ height: rowHeight, transform: `translateY(${(first + index) * rowHeight}px)` }}
						aria-setsize={items.length}
						aria-posinset={first + index + 1}
					>
						{row(item)}
					</li>
				))}
			</ul>
		</section>
	);
}
