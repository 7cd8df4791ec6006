import { toExchanges } from "../exchange.ts";
import { PICTURE, picture } from "../test-files.ts";

const post = {
	id: 7,
	link: "https://blog.example.com/hello",
	status: "publish",
	slug: "hello",
	date: "2026-01-31T09:00:00",
	title: { rendered: "Hello" },
	content: { rendered: "<p>World</p>", protected: false },
};

export const wordpress = toExchanges(
	{
		id: "wordpress",
		authRecipe: "wordpress_password",
		fields: { host: "blog.example.com", username: "ada", password: "abcd EFGH 1234 ijkl MNOP 6789" },
		base: "https://blog.example.com/wp-json/wp/v2",
		headers: { authorization: "Basic YWRhOmFiY2QgRUZHSCAxMjM0IGlqa2wgTU5PUCA2Nzg5" },
	},
	{
		list_posts: {
			params: { search: "rain & snow", status: "draft", categories: "3,4", page: 2 },
			sends: "GET /posts?search=rain%20%26%20snow&status=draft&categories=3%2C4&page=2&per_page=10",
			answer: [post],
		},
		get_post: { params: { post_id: 7 }, sends: "GET /posts/7", answer: post },
		create_post: {
			params: { title: "Hello", content: "<p>World</p>", tags: [5] },
			sends: "POST /posts",
			json: { title: "Hello", content: "<p>World</p>", status: "draft", tags: [5] },
			status: 201,
			answer: post,
		},
		update_post: {
			params: { post_id: 7, status: "publish" },
			sends: "POST /posts/7",
			json: { status: "publish" },
			answer: post,
		},
		delete_post: {
			params: { post_id: 7, force: true },
			sends: "DELETE /posts/7?force=true",
			answer: { deleted: true, previous: post },
		},
		create_page: {
			params: { title: "About us", status: "publish", parent: 2 },
			sends: "POST /pages",
			json: { title: "About us", status: "publish", parent: 2 },
			status: 201,
			answer: post,
		},
		upload_media: {
			params: { file: picture, alt_text: "A chart" },
			sends: "POST /media",
			parts: [
				{ name: "file", filename: "chart ü.png", type: "image/png", content: PICTURE },
				{ name: "alt_text", content: "A chart" },
			],
			status: 201,
			answer: {
				id: 12,
				source_url: "https://blog.example.com/wp-content/uploads/chart.png",
				mime_type: "image/png",
			},
		},
		list_terms: {
			params: { taxonomy: "categories", per_page: 100 },
			sends: "GET /categories?page=1&per_page=100",
			answer: [{ id: 3, name: "News", count: 12, slug: "news" }],
		},
		create_comment: {
			params: { post: 7, content: "Thank you." },
			sends: "POST /comments",
			json: { post: 7, content: "Thank you." },
			status: 201,
			answer: { id: 4, link: "https://blog.example.com/hello#comment-4", status: "approved" },
		},
	},
);
