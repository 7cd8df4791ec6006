import { call, Problem, readEvents, type Settings, type Turn } from "./api.ts";
import { drawMarkdown, make } from "./draw.ts";
import { laterReplies } from "./later.ts";
import { loadRemembered, save } from "./stored.ts";
import { texts } from "./texts.ts";

const MAX_FILES = 10;
const TITLE_LENGTH = 60;

const remembered = loadRemembered();
let settings: Settings = { title: "", greeting: null, takes_files: false };
/** Aborts the message that is being answered. */
let answering: AbortController | null = null;
let chosen: File[] = [];
const later = laterReplies(showLater);

const heading = make("h1");
const list = make("ul");
const log = make("div", { role: "log", class: "log", "aria-live": "polite" });
const alertBox = make("p", { role: "alert", class: "alert" });
const box = make("textarea", { id: "message", rows: "1", maxlength: "32000", placeholder: texts.write });
const picker = make("input", {
	type: "file",
	multiple: "",
	id: "files",
	class: "unseen",
	tabindex: "-1",
	"aria-hidden": "true",
});
const attach = make(
	"button",
	{ type: "button", class: "icon", "aria-label": texts.attach, title: texts.attach },
	"+",
);
const send = make("button", { type: "submit" }, texts.send);
const stop = make("button", { type: "button", hidden: "" }, texts.stop);
const files = make("ul", { class: "files" });
const form = make(
	"form",
	{},
	files,
	make(
		"div",
		{ class: "row" },
		attach,
		picker,
		make("label", { for: "message", class: "unseen" }, texts.write),
		box,
		send,
		stop,
	),
);
const fresh = make("button", { type: "button", class: "quiet" }, texts.newChat);
const past = make("details", {}, make("summary", {}, texts.history), list);

document.body.append(make("header", {}, heading, fresh, past), make("main", {}, log, alertBox, form));
form.addEventListener("submit", (event) => {
	event.preventDefault();
	void say();
});
box.addEventListener("keydown", (event) => {
	if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
	event.preventDefault();
	form.requestSubmit();
});
box.addEventListener("input", fitBox);
attach.addEventListener("click", () => picker.click());
picker.addEventListener("change", () => {
	chosen = [...chosen, ...(picker.files ?? [])].slice(0, MAX_FILES);
	picker.value = "";
	drawFiles();
});
stop.addEventListener("click", () => answering?.abort());
fresh.addEventListener("click", () => void open(null));
// Another link to this chat was opened in this tab.
addEventListener("hashchange", () => location.reload());
void begin();

async function begin(): Promise<void> {
	form.hidden = true;
	try {
		settings = (await (await call("/settings", remembered.token)).json()) as Settings;
	} catch (error) {
		heading.textContent = document.title;
		showProblem(error);
		return;
	}
	form.hidden = false;
	attach.hidden = !settings.takes_files;
	heading.textContent = settings.title;
	document.title = settings.title;
	await open(remembered.current);
}

/** Shows a conversation; null: a new one. */
async function open(id: string | null): Promise<void> {
	answering?.abort();
	later.clear();
	remembered.current = id;
	save(remembered);
	past.open = false;
	alertBox.textContent = "";
	log.replaceChildren();
	if (settings.greeting !== null) addMessage(settings.title, "bot", settings.greeting);
	drawList();
	if (id !== null) await load(id);
	box.focus();
}

async function load(id: string): Promise<void> {
	try {
		const answer = await call(`/conversations/${id}`, remembered.token);
		for (const turn of ((await answer.json()) as { turns: Turn[] }).turns) {
			const { message, files, reply, status } = turn;
			later.countMessage();
			addMessage(
				texts.you,
				"person",
				message,
				files.map(({ name }) => name),
			);
			const shown = addMessage(settings.title, "bot", reply ?? "");
			if (status !== "answered") addNote(shown, describeStatus(turn));
			if (status === "waiting") awaitReply(shown, turn.execution_id, id);
		}
	} catch (error) {
		if (error instanceof Problem && error.status === 404) forget(id);
		showProblem(error);
	}
	scrollDown();
}

function awaitReply(shown: HTMLElement, run: string | null | undefined, conversation: string): void {
	if (run != null) later.add(run, shown, { conversation, token: remembered.token });
}

/** A run that goes on by itself was looked up. */
function showLater(turn: Turn, shown: HTMLElement): "here" | "awaited" {
	const isHere = turn.status !== "waiting";
	const note = turn.status === "answered" ? "" : describeStatus(turn);
	// What has not changed is not announced again.
	if (!isHere && shown.querySelector(".note")?.textContent === note) return "awaited";
	if (isHere) drawReply(shown, turn.reply ?? "");
	shown.querySelector(".note")?.remove();
	if (note !== "") addNote(shown, note);
	else if ((turn.reply ?? "") === "") addNote(shown, texts.noAnswer);
	return isHere ? "here" : "awaited";
}

async function say(): Promise<void> {
	const message = box.value;
	if (answering !== null || (message.trim() === "" && chosen.length === 0)) return;
	const sent = chosen;
	const stopping = new AbortController();
	answering = stopping;
	setBusy(true);
	alertBox.textContent = "";
	addMessage(
		texts.you,
		"person",
		message,
		sent.map(({ name }) => name),
	);
	const shown = addMessage(settings.title, "bot", "");
	shown.setAttribute("aria-busy", "true");
	addNote(shown, texts.writing);
	scrollDown();
	let text = "";
	let run: string | undefined;
	let isDue = false;
	const redraw = () => {
		isDue = false;
		drawReply(shown, text);
	};
	try {
		const answer = await call("/messages", remembered.token, {
			...buildBody(message, sent),
			method: "POST",
			signal: stopping.signal,
		});
		box.value = "";
		fitBox();
		chosen = [];
		drawFiles();
		let isOver = false;
		for await (const { event, data } of readEvents(answer.body as ReadableStream<Uint8Array>)) {
			if (event === "conversation") {
				remember(data.conversation as string, message);
				later.countMessage();
				run = data.execution_id;
			}
			if (event === "text") text += data.text;
			if (event === "done") text = data.text ?? "";
			isOver ||= event === "done" || event === "problem";
			if (event === "problem") {
				redraw();
				const isLater = data.status === "continues" && remembered.current !== null;
				addNote(shown, isLater ? texts.waits.none : texts.failed);
				if (isLater) awaitReply(shown, run, remembered.current ?? "");
			} else if (!isDue) {
				isDue = true;
				requestAnimationFrame(redraw);
			}
		}
		if (!isOver) throw new Problem(0, texts.offline);
		if (text === "" && shown.querySelector(".note") === null) addNote(shown, texts.noAnswer);
	} catch (error) {
		redraw();
		if (stopping.signal.aborted) addNote(shown, texts.stopped);
		else {
			if (text === "") shown.remove();
			showProblem(error);
		}
	} finally {
		shown.removeAttribute("aria-busy");
		if (answering === stopping) answering = null;
		setBusy(false);
		box.focus();
	}
}

function buildBody(message: string, sent: readonly File[]): RequestInit {
	const conversation = remembered.current === null ? {} : { conversation: remembered.current };
	if (sent.length === 0)
		return {
			headers: { "content-type": "application/json" },
			body: JSON.stringify({ ...conversation, message }),
		};
	const body = new FormData();
	for (const [name, value] of Object.entries({ ...conversation, message })) body.append(name, value);
	for (const file of sent) body.append("files", file);
	return { body };
}

function remember(id: string, message: string): void {
	const known = remembered.conversations.find((each) => each.id === id);
	const title = known?.title ?? (message.trim().slice(0, TITLE_LENGTH) || id);
	remembered.current = id;
	remembered.conversations = [{ id, title }, ...remembered.conversations.filter((each) => each.id !== id)];
	save(remembered);
	drawList();
}

function forget(id: string): void {
	remembered.conversations = remembered.conversations.filter((each) => each.id !== id);
	if (remembered.current === id) remembered.current = null;
	save(remembered);
	drawList();
}

async function remove(id: string): Promise<void> {
	try {
		for (let hasMore = true; hasMore; ) {
			const answer = await call(`/conversations/${id}`, remembered.token, { method: "DELETE" });
			hasMore = ((await answer.json()) as { has_more: boolean }).has_more;
		}
	} catch (error) {
		if (!(error instanceof Problem && error.status === 404)) {
			showProblem(error);
			return;
		}
	}
	const isOpen = remembered.current === id;
	forget(id);
	if (isOpen) await open(null);
}

function drawList(): void {
	const items = remembered.conversations.map(({ id, title }) => {
		const entry = make("button", { type: "button", class: "quiet entry" }, title);
		if (id === remembered.current) entry.setAttribute("aria-current", "true");
		entry.addEventListener("click", () => void open(id));
		const label = texts.delete(title);
		const bin = make("button", { type: "button", class: "icon", "aria-label": label, title: label }, "×");
		bin.addEventListener("click", () => void remove(id));
		return make("li", {}, entry, bin);
	});
	list.replaceChildren(...(items.length === 0 ? [make("li", { class: "soft" }, texts.noHistory)] : items));
}

function drawFiles(): void {
	files.replaceChildren(
		...chosen.map((file) => {
			const label = texts.remove(file.name);
			const bin = make("button", { type: "button", class: "icon", "aria-label": label, title: label }, "×");
			bin.addEventListener("click", () => {
				chosen = chosen.filter((each) => each !== file);
				drawFiles();
			});
			return make("li", {}, file.name, bin);
		}),
	);
}

function addMessage(who: string, kind: string, text: string, names: readonly string[] = []): HTMLElement {
	const content = make("div", { class: "content" });
	if (kind === "bot") content.append(...drawMarkdown(text));
	else content.append(make("p", { class: "said" }, text));
	const attached = names.map((name) => make("li", {}, name));
	const shown = make("article", { class: kind }, make("h2", {}, who), content);
	if (attached.length > 0) shown.append(make("ul", { class: "files" }, ...attached));
	log.append(shown);
	return shown;
}

function drawReply(shown: HTMLElement, text: string): void {
	const isDown = isScrolledDown();
	shown.querySelector(".note")?.remove();
	shown.querySelector(".content")?.replaceChildren(...drawMarkdown(text));
	if (isDown) scrollDown();
}

const addNote = (shown: HTMLElement, text: string): void =>
	shown.append(make("p", { class: "note soft" }, text));

function describeStatus({ status, waits_for }: Turn): string {
	if (status === "waiting") return texts.waits[waits_for ?? "none"];
	return status === "stopped" ? texts.stopped : status === "failed" ? texts.failed : texts.noAnswer;
}

function showProblem(error: unknown): void {
	alertBox.textContent = error instanceof Problem ? error.message : texts.failed;
}

function setBusy(isBusy: boolean): void {
	send.hidden = isBusy;
	stop.hidden = !isBusy;
}

function fitBox(): void {
	box.rows = Math.min(8, box.value.split("\n").length);
}

const isScrolledDown = (): boolean => innerHeight + scrollY >= document.documentElement.scrollHeight - 80;
const scrollDown = (): void => scrollTo(0, document.documentElement.scrollHeight);
