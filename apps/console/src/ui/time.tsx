import { useEffect, useState } from "react";
import { useTexts } from "../texts/texts.ts";
import { TIMES } from "../times.ts";
import { COMMON } from "./common-texts.ts";

/** A relative time, with the exact time in the user's time zone on hover. */
export function Time({ at }: { readonly at: string | number }) {
	const { formatAgo, formatTime } = useTexts(TIMES);
	useRefresh();
	return (
		<time dateTime={new Date(at).toISOString()} title={formatTime(at, { withSeconds: true })}>
			{formatAgo(at)}
		</time>
	);
}

interface WaitingUntilProps {
	readonly at: string;
	/** What the run waits for, at most until then. */
	readonly on?: string | null | undefined;
}

/** "Waiting until Nov 5, 9:00 AM · in 2 days". */
export function WaitingUntil({ at, on }: WaitingUntilProps) {
	const { formatSoon, formatAhead, formatTime } = useTexts(TIMES);
	const { waitingUntil } = useTexts(COMMON);
	useRefresh();
	return (
		<time dateTime={at} title={formatTime(at, { withSeconds: true })}>
			{waitingUntil[on === "answer" || on === "event" ? on : "time"](formatSoon(at))}{" "}
			<span>· {formatAhead(at)}</span>
		</time>
	);
}

/** Relative times change as time passes. */
function useRefresh(): void {
	const [, again] = useState(0);
	useEffect(() => {
		const timer = setInterval(() => again((count) => count + 1), 30_000);
		return () => clearInterval(timer);
	}, []);
}
