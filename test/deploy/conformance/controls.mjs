// Uploaded with a worker's bundle as its main module: what scenarios need inside a worker, which is otherwise the
// released one.
import worker from "./worker.mjs";

export * from "./worker.mjs";

const realNow = Date.now;
let fixedNow = null;
let away = "false";

Date.now = () => fixedNow ?? realNow();

const CONTROLS = {
	now(time) {
		fixedNow = time === "" ? null : Number(time);
	},
	away(value) {
		away = value;
	},
	mark(name) {
		// biome-ignore lint/suspicious/noConsole: the runtime collects the console as its log.
		console.log(name);
	},
};

async function fetch(request, ...rest) {
	const { hostname, pathname } = new URL(request.url);
	const [, control, name, value] = pathname.split("/");
	if (control === "test-control") {
		CONTROLS[name](value);
		return new Response("ok");
	}
	// Only workers bound to the store call it by this name.
	if (hostname === "store") {
		if (away === "true") throw new Error("the store is away");
		if (away === "refusing") return Response.json({ error: "no" }, { status: 403 });
	}
	const answer = await worker.fetch(request, ...rest);
	await takeRest(request);
	return answer;
}

/** Reads the body like the provider's servers: the runtime alone closes the connection of an unread body. */
async function takeRest({ body, bodyUsed, headers }) {
	if (body !== null && !bodyUsed && headers.has("content-length")) await body.pipeTo(new WritableStream());
}

export default { ...worker, fetch };
