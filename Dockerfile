FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 HOST=0.0.0.0
WORKDIR /app

# Wheels only, each with its hash: nothing is compiled, so no build tools are needed.
COPY requirements/run.txt requirements/run.txt
RUN pip install --no-cache-dir --only-binary :all: --require-hashes -r requirements/run.txt

COPY bot bot
COPY adapters adapters
COPY quizzes quizzes
COPY LICENSE ./

# Compiled now, since the bot's own user could not write it later. var/ holds the SQLite database.
RUN python -m compileall -q bot adapters \
    && useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin latih \
    && install -d -o latih -g latih -m 700 var
USER 10001
VOLUME /app/var
EXPOSE 8080

ENTRYPOINT ["python", "-m", "bot"]
CMD ["serve"]
