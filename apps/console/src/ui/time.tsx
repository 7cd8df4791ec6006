import { useEffect, useState } from "react";
import { useTexts } from "../texts/texts.ts";
import { TIMES } from "../times.ts";

/** A relative time, with the exact time in the user's time zone on hover. */
export function Time({ at }: { readonly at: string | number }) {
	const { formatAgo, formatTime } = useTexts(TIMES);
	const [, again] = useState(0);
	useEffect(() => {
		const timer = setInterval(() => again((count) => count + 1), 30_000);
		return () => clearInterval(timer);
	}, []);
	return (
		<time dateTime={new Date(at).toISOString()} title={formatTime(at, { withSeconds: true })}>
			{formatAgo(at)}
		</time>
	);
}
