import { toExchanges } from "../exchange.ts";
import { PICTURE, picture } from "../test-files.ts";

const CHANNEL = "4xp9fdt77pncbef59f4k1qe83o";
const POST = "8fi7gxc3p7fyjcyoh7sqp5ydgr";
const TEAM = "rcgiyftm7jyrxnma1osd8zswby";
const USER = "m91wx1hqt3bj7mxmp9xk8xo1wa";
const post = {
	id: POST,
	channel_id: CHANNEL,
	message: "Hello",
	user_id: USER,
	root_id: "",
	create_at: 1_769_850_000_000,
};
const channel = { id: CHANNEL, name: "town-square", display_name: "Town Square", type: "O", team_id: TEAM };
const user = { id: USER, username: "ada", email: "ada@example.com" };

export const mattermost = toExchanges(
	{
		id: "mattermost",
		authRecipe: "mattermost_token",
		fields: { host: "chat.example.com", token: "test-mattermost-token" },
		base: "https://chat.example.com/api/v4",
		headers: { authorization: "Bearer test-mattermost-token" },
	},
	{
		create_post: {
			params: { channel_id: CHANNEL, message: "Hello", root_id: POST, file_ids: ["f1"] },
			sends: "POST /posts",
			json: { channel_id: CHANNEL, message: "Hello", root_id: POST, file_ids: ["f1"] },
			status: 201,
			answer: post,
		},
		update_post: {
			params: { post_id: POST, message: "Deployed" },
			sends: `PUT /posts/${POST}/patch`,
			json: { message: "Deployed" },
			answer: post,
		},
		delete_post: {
			params: { post_id: POST },
			sends: `DELETE /posts/${POST}`,
			answer: { status: "OK" },
			output: { deleted: true },
		},
		list_posts: {
			params: { channel_id: CHANNEL, per_page: 10 },
			sends: `GET /channels/${CHANNEL}/posts?page=0&per_page=10`,
			answer: { order: [POST], posts: { [POST]: post }, next_post_id: "", prev_post_id: "" },
		},
		list_channels: {
			params: { team_id: TEAM, page: 1 },
			sends: `GET /teams/${TEAM}/channels?page=1&per_page=60`,
			answer: [channel],
		},
		find_channel: {
			params: { team: "acme", channel: "town-square" },
			sends: "GET /teams/name/acme/channels/name/town-square",
			answer: channel,
		},
		open_direct_channel: {
			params: { user_id: USER, own_id: "b8n9pihrd3nyzjh7ywhkeaxqxr" },
			sends: "POST /channels/direct",
			json: ["b8n9pihrd3nyzjh7ywhkeaxqxr", USER],
			status: 201,
			answer: { ...channel, type: "D" },
		},
		upload_file: {
			params: { channel_id: CHANNEL, file: picture },
			sends: "POST /files",
			parts: [
				{ name: "channel_id", content: CHANNEL },
				{ name: "files", filename: "chart ü.png", type: "image/png", content: PICTURE },
			],
			status: 201,
			answer: { file_infos: [{ id: "f1", name: "chart ü.png", size: 3015 }], client_ids: [] },
			output: { id: "f1", name: "chart ü.png", size: 3015 },
		},
		find_user: {
			params: { email: "ada@example.com" },
			sends: "GET /users/email/ada%40example.com",
			answer: user,
		},
		get_me: { sends: "GET /users/me", answer: user },
	},
);
