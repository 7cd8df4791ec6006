/** Given to a process by `--import`: its clock is CLOCK_SKEW_MS milliseconds ahead, or behind if that is negative. */
const skew = Number(process.env.CLOCK_SKEW_MS);
const RealDate = Date;
const now = (): number => RealDate.now() + skew;

globalThis.Date = new Proxy(RealDate, {
	construct: (target, args, newTarget) =>
		Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
	get: (target, key, receiver) => (key === "now" ? now : Reflect.get(target, key, receiver)),
});
